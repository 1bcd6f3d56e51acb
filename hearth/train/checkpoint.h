// Checkpoints: one valid safetensors file each, durable before it counts, verified before it is
// used.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/format/state_file.h"
#include "hearth/tensor/state.h"

namespace hearth {

// Tensors on any device, as a safetensors file.
void write_tensors(const fs::path& path, const std::vector<NamedTensor>& tensors,
                   const SafetensorsOptions& options);
// Writes tensors and values with a digest over all of it. Tensors may lie on any device.
void write_state(const fs::path& path, const State& state, const std::string& kind);
// DataError says what is wrong: no such file, truncated, changed bytes, another kind of file.
[[nodiscard]] State read_state(const fs::path& path, const std::string& kind);

// The checkpoints of a run: step-00000120.safetensors, and named ones such as best.safetensors.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(fs::path folder);

  // Saves, and only then removes older ones beyond `keep`. Says what could not be tidied up, which
  // does the new one no harm.
  std::vector<std::string> save(const State& state, int64_t step, int64_t keep);
  void save_named(const State& state, const std::string& name);
  // ConfigError for a name that `save_named` does not take.
  static void require_name(const std::string& name);

  struct Found {
    State state;
    fs::path path;
    std::vector<std::string> skipped;  // newer ones that could not be used, with the reason
  };
  using Use = std::function<void(const State&)>;  // throws DataError when it is of no use
  // The newest one that verifies and can be used; nothing when there is none. Falls back to older
  // ones, and looks again when one vanishes, as they do while the run trains on.
  // `most_step` passes over those of later steps.
  [[nodiscard]] std::optional<Found> newest(
      const Use& use = {}, int64_t most_step = std::numeric_limits<int64_t>::max()) const;
  // The one of that step; DataError when it is not there, or damaged.
  [[nodiscard]] State of_step(int64_t step) const;
  // Of the newest one, verified or not; nothing when there is none.
  [[nodiscard]] std::optional<int64_t> newest_step() const;
  // Gives the one of `step` a name, so that nobody goes on from it; false when that failed.
  bool set_aside(int64_t step, const std::string& name) const;
  // DataError with the names that exist.
  [[nodiscard]] State named(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] fs::path path_of(const std::string& name) const;

 private:
  [[nodiscard]] std::vector<std::string> remove_old(int64_t step, int64_t keep) const;
  fs::path folder_;
};

// SHA-256 over names, dtypes, shapes and bytes: equal states, equal digests.
[[nodiscard]] std::string digest_of(const State& state);

}  // namespace hearth
