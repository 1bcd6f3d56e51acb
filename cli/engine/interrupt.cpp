// Signals that ask a command to end.
#include "cli/engine/interrupt.h"

#include <sysexits.h>

#include <csignal>
#include <cstdlib>

namespace hearth::cli {
namespace {

constexpr int kSignalExitCode = 128;

std::atomic<bool> is_interrupted{false};
std::atomic<int> signal_number{SIGINT};

void on_signal(int signal) {
  if (is_interrupted.exchange(true)) std::_Exit(kSignalExitCode + signal);
  signal_number = signal;
}

}  // namespace

const std::atomic<bool>& heed_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) std::signal(signal, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  for (int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  return is_interrupted;
}

int resumable_exit_code() {
  const bool is_by_person = is_interrupted && (signal_number == SIGINT || signal_number == SIGHUP);
  return is_by_person ? interrupted_exit_code() : EX_TEMPFAIL;
}

int interrupted_exit_code() { return kSignalExitCode + signal_number; }

}  // namespace hearth::cli
