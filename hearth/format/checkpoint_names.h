// How the checkpoints of a run are called: step-00000120.safetensors, and named ones such as
// best.safetensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/files.h"

namespace hearth {

inline constexpr const char* kCheckpointEnding = ".safetensors";

[[nodiscard]] std::string step_checkpoint_name(int64_t step);  // without the ending
// The step that a file's name says; nothing for a named one.
[[nodiscard]] std::optional<int64_t> step_in_name(const fs::path& path);
// Those of steps in the folder, newest first; then, by name, the others.
[[nodiscard]] std::vector<fs::path> step_checkpoints(const fs::path& folder);
[[nodiscard]] std::vector<fs::path> named_checkpoints(const fs::path& folder);

// The file that a word means: a file, or a run's folder, or RUN:NAME, whose name is `last` (as when
// it is left out), a checkpoint's, or the number of a step. DataError with the names that exist.
[[nodiscard]] fs::path checkpoint_called(const std::string& word);

}  // namespace hearth
