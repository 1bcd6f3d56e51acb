// How fast a trial trains.
#include "hearth/train/finders/timed_steps.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hearth/base/clock.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/train/finders/trial.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr size_t kUncounted = 3;            // steps
constexpr double kUncountedSeconds = 0.25;  // until threads know who else is there
constexpr size_t kFewest = 3;
constexpr int64_t kManySteps = 1'000'000;
constexpr int64_t kManyEpochs = 1000;
constexpr size_t kSlices = 5;

// Notes when each step ends, and ends the training when it has seen enough.
class StepClock : public StepObserver {
 public:
  StepClock(Trainer& trainer, double seconds, const RankMeeting& ranks)
      : trainer_(trainer), seconds_(seconds), ranks_(ranks) {
    trainer_.set_observer(this);
  }
  ~StepClock() override { trainer_.set_observer(nullptr); }
  StepClock(const StepClock&) = delete;
  StepClock& operator=(const StepClock&) = delete;

  void see(const CompiledPlan&, const HostBatch& batch, const BatchRunner&, const Scene&) override {
    samples_ += batch.real_rows();
    const Position& position = trainer_.position();
    const TrainingLength& length = trainer_.experiment().length();
    if (length.step_at(position.epoch, position.batch + 1) == position.step) return;
    end_step();
  }
  [[nodiscard]] bool is_done() const {
    return steps_.size() > kFewest && steps_.back().seconds - steps_.front().seconds >= seconds_;
  }
  void fill_in(TimedSteps& timed) const;

 private:
  // When a step ended, and what there was until then.
  struct Ended {
    double seconds = 0;
    int64_t samples = 0;
    double waited = 0;
  };

  void end_step() {
    ++seen_;
    // All processes count the same steps, or some would go on without the others.
    const double now = ranks_.first("the time of a step", watch_.seconds());
    if (seen_ < kUncounted || now < std::min(seconds_, kUncountedSeconds)) return;
    steps_.push_back({now, samples_, trainer_.lost_time().waiting});
    if (is_done()) trainer_.request_pause("enough steps were timed.");
  }

  Trainer& trainer_;
  double seconds_;
  const RankMeeting& ranks_;
  Stopwatch watch_;
  size_t seen_ = 0;
  int64_t samples_ = 0;
  std::vector<Ended> steps_;  // after those that do not count
};

// The middle one of some slices of the time: other programs may hold up one or two.
void StepClock::fill_in(TimedSteps& timed) const {
  if (steps_.size() < 2) return;
  const size_t counted = steps_.size() - 1;
  const size_t slices = std::min(kSlices, counted);
  std::vector<std::pair<double, double>> rates;  // samples and steps a second
  for (size_t i = 0; i < slices; ++i) {
    const size_t from = counted * i / slices;
    const size_t to = counted * (i + 1) / slices;
    const double took = std::max(steps_[to].seconds - steps_[from].seconds, 1e-9);
    rates.emplace_back(static_cast<double>(steps_[to].samples - steps_[from].samples) / took,
                       static_cast<double>(to - from) / took);
  }
  std::sort(rates.begin(), rates.end());
  const auto& middle = rates[slices / 2];
  const double took = std::max(steps_.back().seconds - steps_.front().seconds, 1e-9);
  timed.steps = static_cast<int64_t>(counted);
  timed.samples_per_second = middle.first;
  timed.step_seconds = 1 / middle.second;
  timed.wait_share = std::clamp((steps_.back().waited - steps_.front().waited) / took, 0.0, 1.0);
}

}  // namespace

// Sets whose time is up have no place in a longer training.
Node endless_trial(const Node& config) {
  Node trial = trial_config(config);
  const Node* windows = trial.find("data")->find("windows");
  if (windows != nullptr && !windows->entries().empty()) return trial;
  const Node* epochs = trial.find("train")->find("epochs");
  const int64_t given = read_integer(epochs->text()).value_or(1);
  set_option(trial, "train.epochs", std::to_string(std::max(given, kManyEpochs)));
  return trial;
}

TimedSteps time_steps(const Node& config, double seconds, const FinderSettings& settings) {
  const FinderSettings quiet{{}, {}, settings.interrupt, settings.group};
  const RankMeeting ranks(settings.group);
  Estimator estimator = make_trial(FinderTarget(config), config, quiet);
  Trainer& trainer = estimator.trainer();
  TimedSteps timed;
  const StepClock clock(trainer, seconds, ranks);
  // It goes on over the end of the config's epochs.
  while (!clock.is_done() && !(timed.was_interrupted = is_interrupted(settings, ranks)))
    timed.tensor_bytes = std::max(timed.tensor_bytes, estimator.step(kManySteps).peak_memory_bytes);
  clock.fill_in(timed);
  const auto most_bytes = [&](uint64_t own) {
    return static_cast<uint64_t>(ranks.most("memory", static_cast<double>(own)));
  };
  timed.tensor_bytes = most_bytes(timed.tensor_bytes);
  timed.process_bytes = most_bytes(process_memory().peak_bytes);
  const TrainingLength& length = trainer.experiment().length();
  timed.samples_per_step = length.batch_size;
  timed.steps_per_epoch = length.first_step(1);
  timed.training_samples =
      trainer.experiment().source(trainer.experiment().training_set(0))->size();
  return timed;
}

}  // namespace hearth
