// A run's folder: config, specs, machine, log, checkpoints.
#include "hearth/train/run_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <random>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/file_name.h"
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

bool is_run(const fs::path& path) { return is_there(path / "config.yaml"); }

bool has_weights_alone(const fs::path& path) {
  const std::vector<fs::path> files = list_folder(path);
  return std::any_of(files.begin(), files.end(),
                     [](const fs::path& file) { return file.extension() == ".safetensors"; });
}

}  // namespace

RunFolder RunFolder::create(const fs::path& parent, const std::string& name) {
  if (const auto fault = name_fault(name, NameRule::kFile)) throw ConfigError("name: " + *fault);
  make_folder(parent);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const fs::path path = parent / (name + "-" + fresh_id());
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

RunFolder RunFolder::made_at(const fs::path& path) {
  make_folder(path);
  return RunFolder(path);
}

RunFolder RunFolder::open(const fs::path& path) {
  if (is_run(path)) return RunFolder(path);
  std::vector<std::string> siblings;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const fs::path& sibling : list_folder(parent))
    if (is_run(sibling)) siblings.push_back(sibling.string());
  if (fs::is_directory(path) && has_weights_alone(path))
    throw DataError(path.string() +
                    " is not a run folder: it holds weights for other programs, as hearth export "
                    "--names torch writes them. Export the run again without --names.");
  throw DataError(path.string() + " is not a run folder: it has no config.yaml." +
                  did_you_mean(path.string(), siblings));
}

RunFolder RunFolder::newest(const fs::path& parent) {
  std::vector<fs::path> runs;
  for (const fs::path& path : list_folder(parent))
    if (is_run(path)) runs.push_back(path);
  if (runs.empty())
    throw DataError("there is no run in " + parent.string() + ". Name the run's folder.");
  const auto begun = [](const fs::path& run) {
    std::error_code ignored;  // one that vanishes meanwhile is the oldest
    return fs::last_write_time(run / "config.yaml", ignored);
  };
  return RunFolder(*std::max_element(
      runs.begin(), runs.end(),
      [&](const fs::path& left, const fs::path& right) { return begun(left) < begun(right); }));
}

void RunFolder::write_config(const Node& effective, const std::string& as_written) const {
  if (!as_written.empty()) write_file_durably(path_ / "config.as_written.yaml", as_written);
  write_file_durably(path_ / "config.yaml", to_yaml(effective));
}

void RunFolder::write_specs(const std::vector<KeySpec>& specs) const {
  write_file_durably(path_ / "specs.json", to_json(specs).dump(2) + "\n");
}

void RunFolder::write_machine(const Json& machine) const {
  write_file_durably(path_ / "machine.json", machine.dump(2) + "\n");
}

void RunFolder::write_model(const Json& model) const {
  write_file_durably(path_ / "model.json", model.dump() + "\n");
}

Node RunFolder::config() const { return load_yaml(path_ / "config.yaml"); }

std::vector<KeySpec> RunFolder::specs() const {
  const fs::path file = path_ / "specs.json";
  return key_specs_from(parse_json(read_file(file, kSmallFileBytes), file.string()), file.string());
}

Json RunFolder::machine() const {
  const fs::path file = path_ / "machine.json";
  return is_there(file) ? parse_json(read_file(file, kSmallFileBytes), file.string())
                        : Json::object();
}

}  // namespace hearth
