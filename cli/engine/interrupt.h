// Signals that ask a command to end: the first for a clean end, a second for one at once.
#pragma once

#include <atomic>

namespace hearth::cli {

// From here on Ctrl-C, SIGTERM and a closed terminal only set what this returns. A SIGHUP that was
// ignored, as under nohup, stays ignored. A reader of the output that is gone, or a file that may
// not grow, is an error of the write alone.
[[nodiscard]] const std::atomic<bool>& heed_signals();
// 128 and the number of the signal that came, as a shell would say.
[[nodiscard]] int interrupted_exit_code();

}  // namespace hearth::cli
