// Moments of a training: what time switches on at each, and those at which plans differ.
#include <algorithm>
#include <numeric>
#include <set>

#include "hearth/train/experiment_graph.h"

namespace hearth {
namespace {

// How far a repeating pattern is followed; plans beyond are compiled when they come.
constexpr int64_t kMostEpochPeriod = 1'000;
constexpr int64_t kMostStepPeriod = 10'000;
constexpr size_t kMostPlans = 256;

int64_t common_period(int64_t left, int64_t right, int64_t most) {
  const int64_t factor = left / std::gcd(left, right);
  return factor > most / right ? most : std::min(factor * right, most);
}

}  // namespace

Moment ExperimentGraph::batch_moment(int64_t epoch, int64_t batch) const {
  return {length().step_at(epoch, batch), epoch, length()};
}

Moment ExperimentGraph::epoch_end(int64_t epoch) const {
  const int64_t step = std::max(length().first_step(epoch + 1) - 1, length().first_step(epoch));
  return {step, epoch, length()};
}

Moment ExperimentGraph::end() const {
  const int64_t step = std::max<int64_t>(length().total_steps - 1, 0);
  return {step, length().epoch_of(step), length()};
}

void ExperimentGraph::find_open(const Moment& moment, Mode mode, std::vector<bool>& open) const {
  open.clear();
  for_each_window([&](const NodeWindow& window) {
    if (window.is_timed()) open.push_back(window.is_open(moment, mode));
  });
  if (mode != Mode::kTrain || !training_.are_timed()) return;
  const DataSet used = set_at(Mode::kTrain, moment);
  for (const DataSet& set : training_.all()) open.push_back(set == used);
}

std::string ExperimentGraph::epoch_options(const Moment& moment) const {
  std::string text;
  for_each_component([&](const auto& component) {
    if (component.changes_with_epochs()) text += component.signature(moment) + "\n";
  });
  return text;
}

bool ExperimentGraph::has_timed_components() const {
  bool has = training_.are_timed();
  for_each_window([&](const NodeWindow& window) { has = has || window.is_timed(); });
  return has;
}

bool ExperimentGraph::changes_with_epochs() const {
  bool changes = false;
  for_each_component(
      [&](const auto& component) { changes = changes || component.changes_with_epochs(); });
  return changes;
}

// Epochs with an edge of a window or of a schedule, and from each of them on one round of all
// windows that repeat.
std::vector<int64_t> ExperimentGraph::notable_epochs() const {
  int64_t period = 1;
  int64_t step_period = 1;
  std::set<int64_t> starts = {0};
  const int64_t last = end().epoch;
  const auto add = [&](int64_t epoch) {
    if (epoch <= last) starts.insert(epoch);
  };
  for_each_component([&](const auto& component) {
    for (const int64_t step : component.option_changes(length()))
      add(length().first_epoch_from(step));
  });
  for_each_window([&](const NodeWindow& window) {
    period = common_period(period, window.epoch_period(), kMostEpochPeriod);
    step_period = common_period(step_period, window.step_period(length()), kMostStepPeriod);
    for (const int64_t step : window.edges(length())) {
      add(length().epoch_of(step));
      add(length().epoch_of(step) + 1);
    }
  });
  for (const int64_t epoch : training_.changes(length())) add(epoch);
  for (const NodeWindow& window : training_.windows()) {
    period = common_period(period, window.epoch_period(), kMostEpochPeriod);
    step_period = common_period(step_period, window.step_period(length()), kMostStepPeriod);
  }
  std::set<int64_t> epochs;
  for (const int64_t start : starts) {
    const int64_t end_step = length().first_step(start) + step_period;
    for (int64_t epoch = start; epoch <= last; ++epoch) {
      if (epoch >= start + period && length().first_step(epoch) >= end_step) break;
      epochs.insert(epoch);
    }
  }
  return {epochs.begin(), epochs.end()};
}

// The same for the steps of an epoch.
std::vector<int64_t> ExperimentGraph::notable_steps(int64_t epoch) const {
  const int64_t first = length().first_step(epoch);
  const int64_t end = std::max(length().first_step(epoch + 1), first + 1);
  int64_t period = 1;
  std::set<int64_t> starts = {first};
  for_each_window([&](const NodeWindow& window) {
    period = common_period(period, window.step_period(length()), kMostStepPeriod);
    for (const int64_t step : window.edges(length()))
      if (step > first && step < end) starts.insert(step);
  });
  std::set<int64_t> steps;
  for (const int64_t start : starts)
    for (int64_t step = start; step < start + period && step < end; ++step) steps.insert(step);
  return {steps.begin(), steps.end()};
}

std::vector<Moment> ExperimentGraph::plan_moments(const DataSet& set) const {
  if (set.mode == Mode::kInfer) return {end()};
  std::set<std::pair<std::string, std::vector<bool>>> seen;
  std::vector<Moment> moments;
  std::vector<bool> open;
  const bool is_one_of_several = set.mode == Mode::kTrain && !set.name.empty();
  for (const int64_t epoch : notable_epochs()) {
    if (is_one_of_several && training_set(epoch) != set) continue;
    const std::string options = epoch_options(epoch_start(epoch));
    const std::vector<int64_t> steps = set.mode == Mode::kTrain
                                           ? notable_steps(epoch)
                                           : std::vector<int64_t>{epoch_end(epoch).step};
    for (const int64_t step : steps) {
      const Moment moment{step, epoch, length()};
      find_open(moment, set.mode, open);
      if (seen.emplace(options, open).second) moments.push_back(moment);
      if (moments.size() == kMostPlans) return moments;
    }
  }
  return moments;
}

}  // namespace hearth
