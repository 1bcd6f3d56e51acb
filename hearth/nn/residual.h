// What the residual blocks have in common.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

// A convolution as batch normalization wants it: no bias, the size kept apart from the stride, and
// first values that keep the spread of what flows back (He et al., fan out).
[[nodiscard]] Choice<Layer> residual_convolution(int64_t out_channels, int64_t kernel_size,
                                                 int64_t stride = 1);

// Convolutions, each with a batch norm and a relu; the last one's is of the sum with the input,
// which goes through a downsample when its shape differs. Children are named as in torchvision:
// conv1, bn1, relu, conv2, bn2, ..., downsample.
class ResidualLayer : public Layer {
 protected:
  // `stride` and the last convolution's channels are those of the whole block.
  Spec add_residual(const std::vector<Choice<Layer>>& convolutions, int64_t out, int64_t stride,
                    const Spec& input, const BuildContext& context);
  at::Tensor forward(const at::Tensor& input) override;

 private:
  size_t convolutions_ = 0;
};

}  // namespace hearth
