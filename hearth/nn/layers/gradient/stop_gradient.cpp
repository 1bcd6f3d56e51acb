// What comes in, as it is; nothing flows back.
#include "hearth/nn/layers/gradient/stop_gradient.h"

#include "hearth/nn/pointwise.h"

namespace hearth::layers {

Choice<Layer> stop_gradient() { return {"stop_gradient", Node::map()}; }

void register_stop_gradient(Registry<Layer>& layers) {
  add_pointwise(layers, "stop_gradient",
                "Gives what it gets and lets nothing flow back: layers before it learn nothing "
                "from those after it.",
                [](const at::Tensor& input) { return input.detach(); });
}

}  // namespace hearth::layers
