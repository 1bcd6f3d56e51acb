// Signals that ask a command to end: the first for a clean end, a second for one at once.
#pragma once

#include <atomic>

namespace hearth::cli {

// From here on Ctrl-C, SIGTERM, SIGUSR1 and a closed terminal only set what this returns. A SIGHUP
// that was ignored, as under nohup, stays ignored. A reader of the output that is gone, or a file
// that may not grow, is an error of the write alone.
[[nodiscard]] const std::atomic<bool>& heed_signals();
// 128 and the number of the signal that came, as a shell would say.
[[nodiscard]] int interrupted_exit_code();
// The same for a run that was saved and can be resumed. Who asked for the end may be no person but
// a system that starts the job again (SIGTERM, and SIGUSR1 as Slurm sends it before the time is
// up), or the run itself, by a time budget: then 75, which the systems' headers call EX_TEMPFAIL.
[[nodiscard]] int resumable_exit_code();

}  // namespace hearth::cli
