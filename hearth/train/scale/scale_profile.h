// What a step of an experiment takes on this machine, by the number of its samples.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/optim/parameter_shares.h"
#include "hearth/train/scale/bucket_schedule.h"

namespace hearth {
class Estimator;
}  // namespace hearth

namespace hearth::scale {

struct MeasuredStep {
  double samples = 0;
  ComputedStep step = {};
  double other_bytes = 0;  // activations and whatever else a step needs beside the model
};

struct ModelMemory {
  double parameters = 0;  // bytes, all three
  double gradients = 0;
  double optimizer = 0;
  double averages = 0;  // of `optimizer`, what every rank has whatever is shared out
  // What ranks may share out; empty: anything, evenly.
  std::vector<SharedParameter> shared = {};
  // Of the optimizer's state and the gradients, what the rank has that has most.
  [[nodiscard]] double largest_share(int64_t ranks) const;
};

// Times of a few steps, layer by layer. The estimator keeps no run; it has trained some steps then.
struct EstimatorMeasured {
  MeasuredStep step;
  ModelMemory memory;
  int64_t threads = 0;
};
[[nodiscard]] EstimatorMeasured measure_estimator(Estimator& estimator, int64_t steps);

// Between and beyond two measured numbers of samples, times and memory grow evenly: a part for each
// sample, and a part that every step has.
class ScaleProfile {
 public:
  // The second may be the same as the first: then all grows with the samples.
  ScaleProfile(MeasuredStep large, MeasuredStep small);
  [[nodiscard]] ComputedStep step(double samples) const;
  [[nodiscard]] double other_bytes(double samples) const;
  [[nodiscard]] double measured_samples() const { return large_.samples; }

 private:
  [[nodiscard]] double between(double large, double small, double samples) const;
  MeasuredStep large_;
  MeasuredStep small_;
};

}  // namespace hearth::scale
