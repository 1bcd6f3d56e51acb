// The batches of one step: how many there are, and how much each of them counts.
#pragma once

#include <cstdint>

#include "hearth/tensor/state.h"

namespace hearth {

// Every sample of a step counts the same, whatever batch it came in. A full batch weighs 1; a step
// whose batches are all full is their plain mean.
class Accumulation {
 public:
  explicit Accumulation(int64_t batches) : batches_(batches) {}
  [[nodiscard]] int64_t batches() const { return batches_; }
  [[nodiscard]] bool is_waiting() const { return done_ > 0; }
  // Some batch of the step counted.
  [[nodiscard]] bool has_samples() const { return weights_ > 0; }

  // A batch of this weight is there, or was left out with weight 0; true when the step is complete.
  bool add(double weight) {
    weights_ += weight;
    return ++done_ >= batches_;
  }
  // The weights of all batches so far.
  [[nodiscard]] double weights() const { return weights_; }
  // What the sum of weight/batches times gradients is to be multiplied by to become the samples'
  // mean; 1 when all batches were full.
  [[nodiscard]] double correction() const {
    return has_samples() ? static_cast<double>(batches_) / weights_ : 1;
  }
  void begin() {
    done_ = 0;
    weights_ = 0;
  }

  void write(State& state) const {
    state.values["batches"] = done_;
    if (done_ > 0) state.values["weights"] = weights_;
  }
  void read(const State& state) {
    done_ = state.values.value("batches", int64_t{0});
    weights_ = state.values.value("weights", static_cast<double>(done_));
  }

 private:
  int64_t batches_;
  int64_t done_ = 0;
  double weights_ = 0;
};

}  // namespace hearth
