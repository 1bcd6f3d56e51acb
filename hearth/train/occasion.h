// What a trace may ask to be told of, in which modes and how often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hearth/config/mode.h"
#include "hearth/config/time.h"

namespace hearth {

// In the order in which they come. Told again after a resume is only what happened after the
// checkpoint, apart from the run's begin.
enum class Occasion : uint8_t {
  kRunBegin,         // a process begins to train, or takes a run up again
  kEpochBegin,       // before its first batch; not again when a run is resumed in its middle
  kBatchBegin,       // the data's values are there, the network's are not
  kLoss,             // the network has computed all that it computes before its first update
  kBackward,         // an update has its gradients and is about to move its model's parameters
  kStep,             // the batch has moved parameters
  kBatchEnd,         // metrics have seen the batch
  kEvaluationBegin,  // of one data set; interrupted, all sets begin anew after a resume
  kEvaluationEnd,    // its metrics are known at the end of the epoch, when all sets are measured
  kEpochEnd,         // after evaluation, when all of the epoch's metrics are known
  kRunEnd,           // its last epoch is done, or someone stopped or interrupted it
  kException         // an error ends the training; nothing else is told after it
};
inline constexpr size_t kOccasions = static_cast<size_t>(Occasion::kException) + 1;
[[nodiscard]] std::string_view name(Occasion occasion);  // "the end of an epoch"

// Modes in which it can come at all; none for those of the whole run.
[[nodiscard]] Modes modes_of(Occasion occasion);
// Whether it is one of a batch's, so that the trace's values are there.
[[nodiscard]] bool has_batch(Occasion occasion);
// Whether `when` of the config decides in which modes it is told. An epoch is of all modes.
[[nodiscard]] bool follows_when(Occasion occasion);

struct Interest {
  Occasion on = Occasion::kEpochEnd;
  // Unless the config says `when`. Left out: train, and eval for an evaluation.
  Modes modes = {};
  // What happens in training steps is told in steps whose number, counted from 1, is a multiple of
  // it; epochs, evaluations and what happens in them, when the epoch passes a multiple. Left out:
  // each time.
  Time every = {};
  // Only in these steps, by number; 0 for no bound. The run's own occasions are told whatever the
  // step.
  int64_t first = 0;
  int64_t last = 0;

  [[nodiscard]] Modes usual_modes() const;
  // `step` is the number of the step that it belongs to.
  [[nodiscard]] bool is_due(Mode mode, int64_t step, const Moment& moment) const;
};

}  // namespace hearth
