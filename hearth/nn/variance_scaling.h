// Weights scaled until what their layers give has a wanted deviation.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

// One batch for each input the model was built for: floats from a normal distribution, tokens with
// equal chances, and ones for the rest, such as masks. A length that differs is 16.
[[nodiscard]] std::vector<at::Tensor> drawn_inputs(const Layer& model, int64_t samples,
                                                   const at::Generator& generator);

// Calls the model once, as it predicts, and scales the weights of each layer as its turn comes, so
// that those after it see what it will give. Layers that give the same for every input stay.
void scale_to_deviation(Layer& model, const std::vector<at::Tensor>& weights, double deviation,
                        const std::vector<at::Tensor>& inputs);

}  // namespace hearth
