// First values of the layers that multiply, for architectures with a rule of their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

// The first values of a weight of this shape; its random numbers are those of the context's path
// and the name.
using DrawWeight = std::function<at::Tensor(const BuildContext& context, const std::string& name,
                                            at::IntArrayRef shape)>;
[[nodiscard]] DrawWeight normal_weights(double deviation);
// Normal, for what flows back through a relu to keep its spread (He et al., fan out).
[[nodiscard]] DrawWeight fan_out_weights();
// Uniform, by the values that come in and go out (Glorot and Bengio).
[[nodiscard]] DrawWeight xavier_weights();

// Every layer of these components that is or lies below `layer` gets such a weight; biases become
// zero.
void draw_products(const Layer& layer, const BuildContext& context, const DrawWeight& draw,
                   const std::vector<std::string>& components = {"linear", "conv2d"});

}  // namespace hearth
