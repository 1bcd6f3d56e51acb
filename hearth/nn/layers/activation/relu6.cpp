// min(max(x, 0), 6), value by value.
#include "hearth/nn/layers/activation/relu6.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> relu6() { return {"relu6", Node::map()}; }

void register_relu6(Registry<Layer>& layers) {
  add_pointwise(layers, "relu6", "Keeps values between 0 and 6, cuts the others to these.",
                relu6_values);
}

}  // namespace hearth::layers
