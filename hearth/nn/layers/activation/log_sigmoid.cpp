// log(1 / (1 + exp(-x))), value by value.
#include "hearth/nn/layers/activation/log_sigmoid.h"

#include <ATen/ops/log_sigmoid.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> log_sigmoid() { return {"log_sigmoid", Node::map()}; }

void register_log_sigmoid(Registry<Layer>& layers) {
  add_pointwise(layers, "log_sigmoid", "The logarithm of the sigmoid.", at::log_sigmoid);
}

}  // namespace hearth::layers
