// Which of several training sets an epoch uses.
#include "hearth/train/training_sets.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

Mark window_mark(const Node& config, const std::string& set) {
  const Node* data = config.find("data");
  const Node* windows = data != nullptr ? data->find("windows") : nullptr;
  const Node* window = windows != nullptr ? windows->find(set) : nullptr;
  return window != nullptr ? window->mark() : mark_at(config, "data.windows");
}

std::optional<Time> in_epochs(std::optional<Time> time, int64_t count) {
  if (time && time->unit == TimeUnit::kPercent)
    *time = epochs(time->value / 100 * static_cast<double>(count));
  return time;
}

// A turn has whole epochs.
std::optional<Time> in_whole_epochs(std::optional<Time> time, int64_t count, double least) {
  if (!time || time->unit != TimeUnit::kPercent) return time;
  return epochs(std::max(std::round(in_epochs(time, count)->value), least));
}

bool has_come(const Time& time, const Moment& start) {
  if (time.unit == TimeUnit::kEpoch) return static_cast<double>(start.epoch) >= time.value;
  return start.step >= time.steps(start.length);
}

}  // namespace

NodeWindow node_window(const SetWindow& window) {
  return {
      .from = window.from, .until = window.until, .every = window.every, .offset = window.offset};
}

TrainingSets::TrainingSets(const DataOptions& data, const Node& config)
    : windows_mark_(mark_at(config, "data.windows")) {
  for (const auto& [name, choice] : data.train.all()) {
    sets_.emplace_back(Mode::kTrain, name);
    const auto window = data.windows.find(sets_.back().text());
    const bool is_timed = !name.empty() && window != data.windows.end();
    given_.push_back(is_timed ? node_window(window->second) : NodeWindow());
    marks_.push_back(is_timed ? window_mark(config, sets_.back().text()) : choice.options().mark());
  }
  windows_ = given_;
}

void TrainingSets::set_epochs(int64_t count) {
  epochs_ = count;
  for (size_t i = 0; i < given_.size(); ++i)
    windows_[i] = {.from = in_epochs(given_[i].from, count),
                   .until = in_epochs(given_[i].until, count),
                   .every = in_whole_epochs(given_[i].every, count, 1),
                   .offset = in_whole_epochs(given_[i].offset, count, 0)};
}

bool TrainingSets::are_timed() const {
  return sets_.size() > 1 ||
         std::any_of(given_.begin(), given_.end(),
                     [](const NodeWindow& window) { return window.is_timed(); });
}

bool TrainingSets::is_open(size_t set, const Moment& start) const {
  const NodeWindow& window = windows_[set];
  return at_place(marks_[set], [&] {
    if (window.from && !has_come(*window.from, start)) return false;
    if (window.until && has_come(*window.until, start)) return false;
    return NodeWindow{.every = window.every, .offset = window.offset}.is_open(start);
  });
}

const DataSet& TrainingSets::at(const Moment& start) const {
  for (size_t i = 0; i + 1 < sets_.size(); ++i)
    if (is_open(i, start)) return sets_[i];
  return sets_.back();
}

void TrainingSets::check(const TrainingLength& length) const {
  if (!are_timed()) return;
  for (int64_t epoch = 0; epoch < epochs_; ++epoch)
    check_epoch({length.first_step(epoch), epoch, length});
}

void TrainingSets::check_epoch(const Moment& start) const {
  std::optional<size_t> first;
  for (size_t i = 0; i < sets_.size(); ++i) {
    if (!is_open(i, start)) continue;
    if (first) throw_both(*first, i, start.epoch);
    first = i;
  }
  if (!first) throw_none(start.epoch);
}

void TrainingSets::throw_none(int64_t epoch) const {
  std::vector<std::string> names;
  for (const DataSet& set : sets_) names.push_back(set.text());
  throw ConfigError("no training set is open in epoch " + std::to_string(epoch) + ": of " +
                        join(names, ", ") + ", each epoch needs exactly one. Let one be used " +
                        (epoch == 0 ? "from the start." : "for longer, or start the next earlier."),
                    windows_mark_.place());
}

void TrainingSets::throw_both(size_t first, size_t second, int64_t epoch) const {
  const std::string one = sets_[first].text();
  const std::string other = sets_[second].text();
  throw ConfigError("the training sets " + one + " and " + other + " are both open in epoch " +
                        std::to_string(epoch) +
                        ", and each epoch needs exactly one. Let one end where the other starts, "
                        "such as `data: {windows: {" +
                        one + ": {until: 5ep}, " + other + ": {from: 5ep}}}`.",
                    marks_[second].place());
}

std::vector<int64_t> TrainingSets::changes(const TrainingLength& length) const {
  std::vector<int64_t> epochs;
  for (const NodeWindow& window : windows_)
    for (const std::optional<Time>& edge : {window.from, window.until}) {
      if (!edge) continue;
      epochs.push_back(edge->unit == TimeUnit::kEpoch
                           ? static_cast<int64_t>(std::ceil(std::min(edge->value, 1e15)))
                           : length.first_epoch_from(edge->steps(length)));
    }
  return epochs;
}

}  // namespace hearth
