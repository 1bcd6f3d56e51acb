// What a call of a layer passes through besides the layer's own computation.
#include "hearth/nn/call_path.h"

#include <ATen/ops/relu.h>

#include "hearth/kernels/activation/activation_values.h"

namespace hearth {

at::Tensor apply_tail(const at::Tensor& value, const Tail& tail) {
  const at::Tensor sum = tail.addend.defined() ? value.add(tail.addend) : value;
  // Only fast models compute tails along.
  return tail.relu ? at::relu(sum) : activated(Kernels::kFast, sum, tail.activation);
}

void CallPath::clear_hooks() {
  before_.clear();
  after_.clear();
}

void CallPath::before(const Layer& layer, at::Tensor& value) const {
  for (const Hook& hook : before_) hook(layer, value);
}

void CallPath::after(const Layer& layer, at::Tensor& value) const {
  for (const Hook& hook : after_) hook(layer, value);
}

}  // namespace hearth
