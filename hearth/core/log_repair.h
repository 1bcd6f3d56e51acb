// What becomes of a run log that a kill tore, or that lost its end: cut to whole lines, filled from
// what is known otherwise, never extended with anything else.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/base/files.h"

namespace hearth {

// Bytes up to the end of the last whole line; 0 when there is no file.
[[nodiscard]] uint64_t whole_lines_bytes(const fs::path& path);

struct MendedLog {
  uint64_t bytes = 0;   // where the log goes on
  std::string missing;  // which events are lost, for a person; empty when none is
};
// The log up to `bytes`, as a checkpoint at `step` says. One that is shorter, or has no events
// there, keeps its whole lines and gets those of `known_lines` that it lacks. DataError when the
// file cannot be read or written.
[[nodiscard]] MendedLog mend_log(const fs::path& path, uint64_t bytes,
                                 const std::string& known_lines, int64_t step);

}  // namespace hearth
