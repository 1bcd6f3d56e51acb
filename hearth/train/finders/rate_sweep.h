// Steers a trainer through rising learning rates, and notes the loss after each.
#pragma once

#include <string>
#include <vector>

#include "hearth/base/clock.h"
#include "hearth/schedule/schedule.h"
#include "hearth/train/finders/learning_rate_finder.h"
#include "hearth/train/finders/trial.h"
#include "hearth/train/trainer.h"

namespace hearth {

class RateSweep : public StepObserver {
 public:
  // Of a trial whose rates are held; `configured` is what they are in truth. ConfigError for an
  // optimizer that is not there.
  RateSweep(Trainer& trainer, const std::vector<ConfiguredRate>& configured,
            const LearningRateSearch& search, const FinderSettings& settings);
  // Steps it takes: one more than rates, to see what the last comes to.
  [[nodiscard]] int64_t steps_left() const;
  [[nodiscard]] LearningRateFinding take(const std::vector<ConfiguredRate>& configured);

  [[nodiscard]] StepWatch* watch(StepWatch* others) override;
  void see(const CompiledPlan& compiled, const HostBatch& batch, const BatchRunner& runner,
           const Scene& scene) override;

 private:
  struct Steered {
    std::string name;
    std::string path;  // of its learning rate in the config
    Optimizer* optimizer = nullptr;
    double held = 0;            // what it is held at
    ScheduledValue configured;  // what it follows when it is not tried
    double factor = 1;          // that a run gave it before
    bool is_swept = true;
  };
  void find_optimizers(const std::vector<ConfiguredRate>& configured);
  [[nodiscard]] const Steered& leader() const;
  [[nodiscard]] double rate_at(int64_t step) const;
  [[nodiscard]] double loss_of(const CompiledPlan& compiled, const BatchRunner& runner);
  [[nodiscard]] bool is_last_batch() const;
  void end_step();

  Trainer& trainer_;
  LearningRateSearch search_;
  const FinderSettings& settings_;
  RankMeeting ranks_;
  std::vector<Steered> all_;
  LearningRateFinding found_;
  DivergenceWatch divergence_;
  Stopwatch watch_;
  int64_t done_ = 0;  // steps
  double loss_sum_ = 0;
  double rows_ = 0;
};

}  // namespace hearth
