// Progress for people: one line per epoch, and a moving line within it on a terminal.
#include <string>
#include <vector>

#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

std::string of_all(const char* what, int64_t number, int64_t all) {
  return std::string(what) + " " + std::to_string(number) + "/" + std::to_string(all);
}

std::vector<std::string> progress_parts(const Progress& progress) {
  const Moment& moment = progress.moment;
  std::vector<std::string> parts = {
      of_all("epoch", moment.epoch + 1, progress.total_epochs),
      of_all("step", moment.step, moment.length.total_steps),
      human_count(static_cast<uint64_t>(progress.samples_per_second)) + " samples/s",
      human_seconds(progress.seconds_left) + " left"};
  for (const auto& [name, value] : progress.metrics) {
    if (progress.is_epoch_end == name.starts_with("step/")) continue;
    // The headline of a metric stands for its other numbers, "eval/f1" for "eval/f1/macro".
    if (progress.metrics.contains(name.substr(0, name.rfind('/')))) continue;
    parts.push_back((progress.is_epoch_end ? name : name.substr(5)) + " " +
                    rounded_number(value, 4));
  }
  return parts;
}

}  // namespace

std::function<void(const Progress&)> console_progress() {
  return [](const Progress& progress) {
    (progress.is_epoch_end ? say_progress : show_passing)(progress_parts(progress));
  };
}

}  // namespace hearth
