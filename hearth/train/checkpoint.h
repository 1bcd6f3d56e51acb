// Checkpoints: one valid safetensors file each, durable before it counts, verified before it is
// used.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/tensor/state.h"

namespace hearth {

// Writes tensors and values with a digest over all of it. Tensors may lie on any device.
void write_state(const fs::path& path, const State& state, const std::string& kind);
// DataError says what is wrong: no such file, truncated, changed bytes, another kind of file.
[[nodiscard]] State read_state(const fs::path& path, const std::string& kind);

inline constexpr const char* kCheckpointKind = "checkpoint";
inline constexpr const char* kWeightsKind = "weights";

// The checkpoints of a run: step-00000120.safetensors, and named ones such as best.safetensors.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(fs::path folder);

  // Saves, and only then removes older ones beyond `keep`.
  void save(const State& state, int64_t step, int64_t keep);
  void save_named(const State& state, const std::string& name);

  struct Found {
    State state;
    fs::path path;
    std::vector<std::string> skipped;  // newer ones that did not verify, with the reason
  };
  // The newest one that verifies; nothing when there is none. Falls back to older ones.
  [[nodiscard]] std::optional<Found> newest() const;
  // DataError with the names that exist.
  [[nodiscard]] State named(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] fs::path path_of(const std::string& name) const;

 private:
  [[nodiscard]] std::vector<fs::path> by_step() const;  // newest first
  fs::path folder_;
};

// SHA-256 over names, dtypes, shapes and bytes: equal states, equal digests.
[[nodiscard]] std::string digest_of(const State& state);

}  // namespace hearth
