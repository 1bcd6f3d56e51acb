// Progress for people: on a terminal a line that moves, and a table with a row for each epoch;
// plain lines for files and other programs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

constexpr size_t kShortestBar = 6;
constexpr size_t kLongestBar = 24;
constexpr size_t kNarrow = 60;     // a line that says as much as it can in few letters
constexpr size_t kNumberCell = 8;  // with the mark of the best
constexpr size_t kTimeCell = 7;
constexpr const char* kBestHint = "  * best so far";

std::string of_all(int64_t number, int64_t all) {
  return std::to_string(number) + "/" + std::to_string(all);
}

std::string rate_of(const Progress& progress) {
  return human_count(static_cast<uint64_t>(progress.samples_per_second));
}

// Always as many digits, so that points stand below points and a line that moves keeps its parts.
std::string steady_number(double value, int digits) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%#.*g", digits, value);
  std::string number = text.data();
  if (number.ends_with('.')) number.pop_back();
  return number;
}

std::string right_aligned(const std::string& text, size_t width) {
  return std::string(width - std::min(width, letter_count(text)), ' ') + text;
}

// The metrics to show, shortest names first in a line that moves: "loss" of the newest step.
std::vector<std::pair<std::string, double>> shown_metrics(const Progress& progress) {
  std::vector<std::pair<std::string, double>> shown;
  for (const auto& [name, value] : progress.metrics) {
    if (progress.is_epoch_end == name.starts_with("step/")) continue;
    // The headline of a metric stands for its other numbers, "eval/f1" for "eval/f1/macro".
    if (progress.metrics.contains(name.substr(0, name.rfind('/')))) continue;
    shown.emplace_back(progress.is_epoch_end ? name : name.substr(5), value);
  }
  return shown;
}

std::vector<std::string> plain_parts(const Progress& progress) {
  const Moment& moment = progress.moment;
  std::vector<std::string> parts = {"epoch " + of_all(moment.epoch + 1, progress.total_epochs),
                                    "step " + of_all(moment.step, moment.length.total_steps),
                                    rate_of(progress) + " samples/s",
                                    human_seconds(progress.seconds_left) + " left"};
  for (const auto& [name, value] : shown_metrics(progress))
    parts.push_back(name + " " + rounded_number(value, 4));
  return parts;
}

std::string bar_of(double share, size_t length) {
  const auto full =
      static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(length)));
  std::string bar;
  for (size_t i = 0; i < length; ++i)
    bar += shows_unicode() ? (i < full ? "\u2588" : "\u2591") : (i < full ? "#" : ".");
  return "[" + bar + "]";
}

// What matters most comes into the line first; what finds no room stays out. The bar takes what is
// left.
std::string passing_line(const Progress& progress, size_t width) {
  const Moment& moment = progress.moment;
  const double share =
      moment.length.total_steps > 0
          ? static_cast<double>(moment.step) / static_cast<double>(moment.length.total_steps)
          : 0;
  const std::string percent = std::to_string(static_cast<int64_t>(100 * share)) + "%";
  const std::string epoch =
      (width < kNarrow ? "" : "epoch ") + of_all(moment.epoch + 1, progress.total_epochs);
  std::vector<std::string> after = {percent};
  size_t used = letter_count(epoch) + 2 + kShortestBar + 2 + 1 + percent.size();
  const auto add = [&](const std::string& part) {
    const size_t more = letter_count(part) + 2;
    if (used + more > width) return;
    used += more;
    after.push_back(part);
  };
  add(human_seconds(progress.seconds_left) + " left");
  for (const auto& [name, value] : shown_metrics(progress))
    add(name + " " + steady_number(value, 3));
  add(rate_of(progress) + " samples/s");
  add("step " + of_all(moment.step, moment.length.total_steps));
  add(std::to_string(std::lround(100 * progress.data_wait_share)) + "% waiting for data");
  const size_t room = width > used ? width - used : 0;
  return epoch + "  " + bar_of(share, std::min(kShortestBar + room, kLongestBar)) + " " +
         join(after, "  ");
}

// Between two steps.
std::string pass_line(const Progress& progress, size_t width) {
  const std::string percent = std::to_string(static_cast<int64_t>(100 * progress.done)) + "%";
  const size_t used = letter_count(progress.doing) + 2 + kShortestBar + 2 + 1 + percent.size();
  if (used > width) return percent;
  return progress.doing + "  " +
         bar_of(progress.done, std::min(kShortestBar + width - used, kLongestBar)) + " " + percent;
}

// A row for each epoch below one head, which comes again when other metrics are measured.
class EpochRows {
 public:
  // False where the row is too wide for the terminal.
  bool say(const Progress& progress, size_t width) {
    head_line_.clear();
    row_line_.clear();
    const int64_t epochs = progress.total_epochs;
    const int64_t steps = progress.moment.length.total_steps;
    add("epoch", of_all(progress.moment.epoch + 1, epochs), of_all(epochs, epochs).size());
    add("step", std::to_string(progress.moment.step), std::to_string(steps).size());
    add("samples/s", rate_of(progress), 0);
    add("left", human_seconds(progress.seconds_left), kTimeCell);
    for (const auto& [name, value] : shown_metrics(progress))
      add(name + " ", steady_number(value, 4) + (progress.best.contains(name) ? "*" : " "),
          kNumberCell);
    if (std::max(letter_count(head_line_), letter_count(row_line_)) >= width) return false;
    if (std::exchange(told_head_, head_line_) != head_line_)
      say_progress(letter_count(head_line_ + kBestHint) < width
                       ? std::vector{head_line_ + kBestHint}
                       : std::vector{head_line_});
    say_progress({row_line_});
    return true;
  }

 private:
  void add(const std::string& head, const std::string& cell, size_t least) {
    const size_t width = std::max({letter_count(head), letter_count(cell), least});
    const std::string gap = head_line_.empty() ? "" : "  ";
    head_line_ += gap + right_aligned(head, width);
    row_line_ += gap + right_aligned(cell, width);
  }

  std::string head_line_;
  std::string row_line_;
  std::string told_head_;
};

}  // namespace

std::function<void(const Progress&)> console_progress() {
  return [rows = std::make_shared<EpochRows>()](const Progress& progress) {
    if (!progress.is_epoch_end) {
      if (const size_t width = passing_width(); width > 0)
        show_passing(
            {progress.doing.empty() ? passing_line(progress, width) : pass_line(progress, width)});
      return;
    }
    const size_t width = progress_width();
    if (width == 0 || !rows->say(progress, width)) say_progress(plain_parts(progress));
  };
}

}  // namespace hearth
