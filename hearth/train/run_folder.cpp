// A run's folder: config, specs, machine, log, checkpoints.
#include "hearth/train/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <random>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/format/json.h"

namespace hearth {
namespace {

constexpr uint64_t kSmallFileBytes = 16 << 20;
constexpr int kAttempts = 100;

// Sorts by time, and is unlike that of a run begun in the same second.
std::string fresh_id() {
  std::string stamp = utc_timestamp();
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  char suffix[8];
  std::snprintf(suffix, sizeof(suffix), "-%04x", std::random_device{}() & 0xffffU);
  return stamp + suffix;
}

std::string folder_name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '_' && c != '-')
      c = '_';
  return safe;
}

bool is_run(const fs::path& path) { return fs::exists(path / "config.yaml"); }

}  // namespace

RunFolder RunFolder::create(const fs::path& parent, const std::string& name) {
  make_folder(parent);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const fs::path path = parent / (folder_name(name) + "-" + fresh_id());
    std::error_code error;
    if (!fs::create_directory(path, error)) {
      if (error)
        throw DataError("cannot make the run folder " + path.string() + ": " + error.message() +
                        ".");
      continue;
    }
    sync_folder(parent);
    return RunFolder(path);
  }
  throw InternalError("no free name for a run folder under " + parent.string() + ".");
}

RunFolder RunFolder::open(const fs::path& path) {
  if (is_run(path)) return RunFolder(path);
  std::vector<std::string> siblings;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(parent))
    for (const auto& entry : fs::directory_iterator(parent))
      if (is_run(entry.path())) siblings.push_back(entry.path().string());
  throw DataError(path.string() + " is not a run folder: it has no config.yaml." +
                  did_you_mean(path.string(), siblings));
}

RunFolder RunFolder::newest(const fs::path& parent) {
  std::vector<fs::path> runs;
  if (fs::is_directory(parent))
    for (const auto& entry : fs::directory_iterator(parent))
      if (is_run(entry.path())) runs.push_back(entry.path());
  if (runs.empty())
    throw DataError("there is no run in " + parent.string() + ". Name the run's folder.");
  return RunFolder(
      *std::max_element(runs.begin(), runs.end(), [](const fs::path& left, const fs::path& right) {
        return fs::last_write_time(left / "config.yaml") <
               fs::last_write_time(right / "config.yaml");
      }));
}

void RunFolder::write_config(const Node& effective, const std::string& as_written) const {
  if (!as_written.empty()) write_file_durably(path_ / "config.as_written.yaml", as_written);
  write_file_durably(path_ / "config.yaml", to_yaml(effective));
}

void RunFolder::write_specs(const std::vector<KeySpec>& specs) const {
  Json json = Json::array();
  for (const KeySpec& key : specs) json.push_back({{"key", key.key}, {"spec", key.spec.to_json()}});
  write_file_durably(path_ / "specs.json", json.dump(2) + "\n");
}

void RunFolder::write_machine(const Json& machine) const {
  write_file_durably(path_ / "machine.json", machine.dump(2) + "\n");
}

Node RunFolder::config() const { return load_yaml(path_ / "config.yaml"); }

std::vector<KeySpec> RunFolder::specs() const {
  const fs::path file = path_ / "specs.json";
  const Json json = parse_json(read_file(file, kSmallFileBytes), file.string());
  try {
    std::vector<KeySpec> specs;
    for (const Json& entry : json)
      specs.push_back({entry.at("key").get<std::string>(), Spec::from_json(entry.at("spec"))});
    return specs;
  } catch (const nlohmann::json::exception& error) {
    throw DataError(file.string() + ": not a list of specs: " + error.what());
  }
}

Json RunFolder::machine() const {
  const fs::path file = path_ / "machine.json";
  return fs::exists(file) ? parse_json(read_file(file, kSmallFileBytes), file.string())
                          : Json::object();
}

}  // namespace hearth
