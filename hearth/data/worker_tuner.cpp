// A worker more is on trial for one stretch of batches, and stays when they came faster.
#include "hearth/data/worker_tuner.h"

#include <utility>

namespace hearth {

namespace {

// Shorter stretches would be told apart by chance.
constexpr int kStretchBatches = 4;
constexpr double kStretchSeconds = 0.25;
constexpr double kWorthATrial = 0.10;   // share of the time that the consumer waits
constexpr double kWorthAWorker = 0.03;  // share of the time that a worker must save
constexpr int kRest = 32;               // stretches after a worker that saved nothing

}  // namespace

double WorkerTuner::wait_share() const { return all_whole_ > 0 ? all_waited_ / all_whole_ : 0; }

bool WorkerTuner::note(double waited_seconds, double whole_seconds) {
  waited_ += waited_seconds;
  whole_ += whole_seconds;
  all_waited_ += waited_seconds;
  all_whole_ += whole_seconds;
  if (++batches_ < kStretchBatches || whole_ < kStretchSeconds) return false;
  const double batches = std::exchange(batches_, 0);
  const double waited = std::exchange(waited_, 0) / batches;
  return decide(waited, std::exchange(whole_, 0) / batches);
}

// Of a batch, as stretches of short batches have as many as fit.
bool WorkerTuner::decide(double waited, double whole) {
  const double before = std::exchange(before_, 0);
  if (before > 0 && whole > before * (1 - kWorthAWorker)) {
    --active_;
    rest_ = kRest;
    return true;
  }
  if (rest_ > 0) {
    --rest_;
    return false;
  }
  if (active_ >= most_ || waited < kWorthATrial * whole) return false;
  before_ = whole;
  ++active_;
  return true;
}

}  // namespace hearth
