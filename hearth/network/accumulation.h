// The batches of one step: how many there are, and how much each of them counts.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/network/network_op.h"
#include "hearth/tensor/state.h"

namespace hearth {

// How much a batch, or a replica's part of it, counts beside the others of its step.
struct BatchWeight {
  double samples = 0;  // of the batch, over those of a full one
  double share = 1;    // of these samples, that the part has
  at::Tensor counted =
      {};               // what the loss is the mean of, in the same unit; undefined: the samples
  bool is_sum = false;  // the loss is a sum
  double one = 1;       // what one of those that are counted weighs

  // With a part of the same batch.
  [[nodiscard]] BatchWeight with(const BatchWeight& part) const;
};

// All that a loss is the mean of counts the same, whatever batch it came in: samples or, where a
// loss leaves some out or weighs them, what counts. A full batch weighs 1; a step whose batches are
// all full is their plain mean. Nothing here asks the device for a value.
class Accumulation {
 public:
  explicit Accumulation(int64_t batches) : batches_(batches) {}
  [[nodiscard]] int64_t batches() const { return batches_; }
  [[nodiscard]] bool is_waiting() const { return done_ > 0; }
  // The next batch completes a step.
  [[nodiscard]] bool needs_one_more() const { return done_ + 1 >= batches_; }
  // Some batch of the step counted.
  [[nodiscard]] bool has_samples() const { return sum_.samples > 0; }

  // How much the batch of the op that runs counts.
  [[nodiscard]] BatchWeight weight_of(const StepContext& context) const;
  // A batch of this weight is there, or was left out with none; true when the step is complete.
  bool add(const BatchWeight& weight);

  // For who adds up weighted gradients: one of them, and at the end the mean.
  [[nodiscard]] static at::Tensor weighted(const at::Tensor& gradient, const BatchWeight& weight);
  [[nodiscard]] at::Tensor mean_of(const at::Tensor& sum) const;
  // For who adds up the gradients of losses: the loss in the place of the batch's, such that the
  // sum is right when all batches are full; and what makes it right when they were not.
  [[nodiscard]] at::Tensor scaled(const at::Tensor& loss, const BatchWeight& weight) const;
  [[nodiscard]] bool needs_correction() const {
    return !sum_.is_sum &&
           (sum_.counted.defined() || sum_.samples != static_cast<double>(batches_));
  }
  void correct(const std::vector<at::Tensor>& gradients) const;
  void begin() {
    done_ = 0;
    sum_ = {};
  }

  void write(State& state) const;
  void read(const State& state);

 private:
  int64_t batches_;
  int64_t done_ = 0;
  BatchWeight sum_;
};

}  // namespace hearth
