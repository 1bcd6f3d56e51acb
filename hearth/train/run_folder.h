// A run's folder: config, specs, machine, log, checkpoints. Enough to recreate the run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/config/node.h"
#include "hearth/core/spec.h"

namespace hearth {

class RunFolder {
 public:
  // Makes runs/<name>-<id>/ and writes what does not change any more.
  [[nodiscard]] static RunFolder create(const fs::path& parent, const std::string& name);
  // A folder to be filled; it counts as a run or model once it has its config, which comes last.
  [[nodiscard]] static RunFolder made_at(const fs::path& path);
  // An existing run, or a model folder exported from one. DataError when it is neither.
  [[nodiscard]] static RunFolder open(const fs::path& path);
  // The run begun last under `parent`; DataError when there is none.
  [[nodiscard]] static RunFolder newest(const fs::path& parent);

  void write_config(const Node& effective, const std::string& as_written) const;
  void write_specs(const std::vector<KeySpec>& specs) const;
  void write_machine(const Json& machine) const;
  void write_model(const Json& model) const;
  [[nodiscard]] Node config() const;
  [[nodiscard]] std::vector<KeySpec> specs() const;
  [[nodiscard]] bool has_specs() const { return is_there(path_ / "specs.json"); }
  [[nodiscard]] Json machine() const;

  [[nodiscard]] const fs::path& path() const { return path_; }
  [[nodiscard]] fs::path log() const { return path_ / "log.jsonl"; }
  [[nodiscard]] fs::path history() const { return path_ / "history.jsonl"; }
  [[nodiscard]] fs::path checkpoints() const { return path_ / "checkpoints"; }
  // The weights of a model folder, which has no checkpoints.
  [[nodiscard]] fs::path weights() const { return path_ / "model.safetensors"; }
  [[nodiscard]] bool is_model() const { return is_there(weights()); }

 private:
  explicit RunFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

}  // namespace hearth
