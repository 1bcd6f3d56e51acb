// What weights were trained with, and whether a folder still says the same.
#include "hearth/train/run_origin.h"

#include <nlohmann/json.hpp>
#include <set>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

constexpr uint64_t kHistoryLimitBytes = 1ULL << 30;

std::string then_and_now(const std::string& path, const std::string& before,
                         const std::string& now) {
  return path + ": " + before + " then, " + now + " now";
}

const KeySpec* find_key(const std::vector<KeySpec>& specs, const std::string& key) {
  for (const KeySpec& spec : specs)
    if (spec.key == key) return &spec;
  return nullptr;
}

std::string spec_text(const KeySpec* key) {
  return key == nullptr ? "not given" : to_json({*key}).at(0).at("spec").dump();
}

// Digests of what the run was changed to on purpose.
std::set<std::string> accepted_digests(const RunFolder& folder) {
  std::set<std::string> digests;
  if (!is_there(folder.history())) return digests;
  for (const std::string& line : split(read_file(folder.history(), kHistoryLimitBytes), '\n')) {
    const Json event = Json::parse(line, nullptr, false);
    if (event.is_object() && event.value("event", "") == "change" && event.contains("details"))
      digests.insert(event.at("details").value("digest", ""));
  }
  return digests;
}

}  // namespace

std::optional<RunOrigin> RunOrigin::of(const State& state) {
  if (!state.values.contains("origin")) return std::nullopt;
  try {
    const Json& origin = state.values.at("origin");
    return RunOrigin{
        parse_yaml(origin.at("config").get<std::string>(), "the config in the weights"),
        key_specs_from(origin.at("specs"), "the specs in the weights")};
  } catch (const nlohmann::json::exception& error) {
    throw DataError("the weights' own record of their config is damaged: " +
                    std::string(error.what()));
  }
}

void RunOrigin::add_to(State& state) const {
  state.values["origin"] = {{"config", to_yaml(config)}, {"specs", to_json(specs)}};
}

std::string RunOrigin::digest() const {
  // Through text and back, so that a config from C++ and the same one from its file are alike.
  return sha256_hex(to_yaml(parse_yaml(to_yaml(config), "config")) + to_json(specs).dump());
}

std::vector<std::string> origin_differences(const RunOrigin& before, const RunOrigin& now) {
  std::vector<std::string> differences = config_differences(before.config, now.config);
  std::set<std::string> keys;
  for (const RunOrigin* origin : {&before, &now})
    for (const KeySpec& key : origin->specs) keys.insert(key.key);
  for (const std::string& key : keys) {
    const std::string then = spec_text(find_key(before.specs, key));
    const std::string today = spec_text(find_key(now.specs, key));
    if (then != today) differences.push_back(then_and_now("specs of '" + key + "'", then, today));
  }
  return differences;
}

std::vector<std::string> unexpected_changes(const RunFolder& folder, const State& saved) {
  const std::optional<RunOrigin> before = RunOrigin::of(saved);
  if (!before) return {};
  // Specs that are gone are no contradiction: the data have them too.
  const RunOrigin now{folder.config(), folder.has_specs() ? folder.specs() : before->specs};
  if (accepted_digests(folder).contains(now.digest())) return {};
  return origin_differences(*before, now);
}

void refuse_changes(const RunFolder& folder, const std::vector<std::string>& changes) {
  throw ConfigError(folder.path().string() +
                    ": config.yaml or specs.json is not what the weights were trained with:\n  " +
                    join(changes, "\n  ") +
                    "\n  Put it back, or go on with it as it is: --accept-changes.");
}

}  // namespace hearth
