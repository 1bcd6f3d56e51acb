// Who is told what a batch comes to while the network runs it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/tensor/state.h"

namespace hearth {

class StepWatch {
 public:
  virtual ~StepWatch() = default;
  // Once per batch, before the first update moves anything; after all ops where there is none.
  // `values` are those of the plan; with replicas, the whole batch's, as far as somebody reads
  // them.
  virtual void on_loss(const std::vector<at::Tensor>& values) = 0;
  // Whether it looks at gradients, which with replicas costs a sum of them.
  [[nodiscard]] virtual bool wants_gradients() const { return true; }
  // Before an update moves the model's parameters: the gradients that it does so with, of all
  // batches and replicas, before they are clipped.
  virtual void on_gradients(const std::string& model, std::span<const NamedTensor> gradients) = 0;
};

}  // namespace hearth
