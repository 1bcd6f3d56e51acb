// Progress for people: one line an epoch, and a moving line within it on a terminal.
#include <unistd.h>

#include <cstdio>
#include <string>

#include "hearth/base/text.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

std::string metrics_text(const Progress& progress) {
  std::string text;
  for (const auto& [name, value] : progress.metrics) {
    if (progress.is_epoch_end == name.starts_with("step/")) continue;
    char number[32];
    std::snprintf(number, sizeof(number), "%.4g", value);
    text += "  " + (progress.is_epoch_end ? name : name.substr(5)) + " " + number;
  }
  return text;
}

std::string line_of(const Progress& progress) {
  const Moment& moment = progress.moment;
  char head[96];
  std::snprintf(head, sizeof(head), "epoch %lld/%lld  step %lld/%lld  %s samples/s  %s left",
                static_cast<long long>(moment.epoch + 1),
                static_cast<long long>(progress.total_epochs), static_cast<long long>(moment.step),
                static_cast<long long>(moment.length.total_steps),
                human_count(static_cast<uint64_t>(progress.samples_per_second)).c_str(),
                human_seconds(progress.seconds_left).c_str());
  return head + metrics_text(progress);
}

}  // namespace

std::function<void(const Progress&)> console_progress() {
  const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  return [is_terminal](const Progress& progress) {
    if (progress.is_epoch_end)
      std::fprintf(stderr, "%s%s\n", is_terminal ? "\r\x1b[K" : "", line_of(progress).c_str());
    else if (is_terminal)
      std::fprintf(stderr, "\r\x1b[K%s", line_of(progress).c_str());
    std::fflush(stderr);
  };
}

}  // namespace hearth
