// Occasions by name, the modes they belong to, and when an interest in one is due.
#include "hearth/train/occasion.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hearth {
namespace {

constexpr std::array<std::string_view, kOccasions> kOccasionNames = {
    "the start of the run", "the start of an epoch",      "the start of a batch",
    "the loss of a batch",  "the gradients of an update", "the end of a step",
    "the end of a batch",   "the start of an evaluation", "the end of an evaluation",
    "the end of an epoch",  "the end of the run",         "an error"};

// Whether a multiple of `every` lies within the epoch.
bool passes_multiple(const Time& every, const Moment& moment) {
  if (every.unit == TimeUnit::kEpoch) {
    const auto epochs = std::max<int64_t>(std::llround(every.value), 1);
    return (moment.epoch + 1) % epochs == 0;
  }
  const int64_t steps = std::max<int64_t>(every.steps(moment.length), 1);
  return moment.length.first_step(moment.epoch + 1) / steps >
         moment.length.first_step(moment.epoch) / steps;
}

}  // namespace

std::string_view name(Occasion occasion) { return kOccasionNames[static_cast<size_t>(occasion)]; }

Modes modes_of(Occasion occasion) {
  switch (occasion) {
    case Occasion::kRunBegin:
    case Occasion::kRunEnd:
    case Occasion::kException:
      return {};
    case Occasion::kBatchBegin:
    case Occasion::kLoss:
    case Occasion::kBatchEnd:
      return {Mode::kTrain, Mode::kEval, Mode::kTest};
    case Occasion::kEvaluationBegin:
    case Occasion::kEvaluationEnd:
      return {Mode::kEval, Mode::kTest};
    default:
      return Mode::kTrain;
  }
}

bool has_batch(Occasion occasion) {
  return occasion >= Occasion::kBatchBegin && occasion <= Occasion::kBatchEnd;
}

bool follows_when(Occasion occasion) {
  return occasion >= Occasion::kBatchBegin && occasion <= Occasion::kEvaluationEnd;
}

Modes Interest::usual_modes() const {
  if (!modes.is_empty()) return modes;
  return modes_of(on).has(Mode::kTrain) ? Mode::kTrain : Mode::kEval;
}

bool Interest::is_due(Mode mode, int64_t step, const Moment& moment) const {
  if (modes_of(on).is_empty()) return true;
  if (step < first || (last > 0 && step > last)) return false;
  if (every.value == 0) return true;
  if (mode != Mode::kTrain || !has_batch(on)) return passes_multiple(every, moment);
  return step % std::max<int64_t>(every.steps(moment.length), 1) == 0;
}

}  // namespace hearth
