// x / (1 + |x|), value by value.
#include "hearth/nn/layers/activation/softsign.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/div.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> softsign() { return {"softsign", Node::map()}; }

void register_softsign(Registry<Layer>& layers) {
  add_pointwise(layers, "softsign",
                "Squeezes values between -1 and 1, more slowly than tanh: x / (1 + |x|).",
                [](const at::Tensor& input) { return input.div(input.abs().add(1)); });
}

}  // namespace hearth::layers
