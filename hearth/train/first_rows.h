// The first so many rows of a trace's keys, kept as the batches come: a look at samples that are
// the same from evaluation to evaluation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/train/trace.h"

namespace hearth {

class FirstRows {
 public:
  explicit FirstRows(int64_t most) : most_(most) {}

  // Copies what is still wanted of the batch, on its device; costs nothing once all is there.
  void add(const Happening& happening);
  void clear();
  [[nodiscard]] bool is_empty() const { return samples_.empty(); }
  [[nodiscard]] const std::vector<int64_t>& samples() const { return samples_; }
  // By the trace's keys, in the order of `reads`; on the host.
  [[nodiscard]] std::vector<at::Tensor> values() const;
  [[nodiscard]] const std::vector<Spec>& specs() const { return specs_; }

  // For a checkpoint in the middle of an epoch; tensors are named <number of the key>.
  [[nodiscard]] Json state() const;
  void restore(const Json& state);
  [[nodiscard]] std::vector<NamedTensor> tensors() const;
  void restore_tensors(const State& state);

 private:
  int64_t most_;
  std::vector<int64_t> samples_;
  std::vector<std::vector<at::Tensor>> parts_;  // of each key, of the batches
  std::vector<Spec> specs_;
};

}  // namespace hearth
