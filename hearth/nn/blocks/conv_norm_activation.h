// A convolution, a norm and an activation.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"
#include "hearth/config/sides.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth::layers {

struct ConvNormActivationOptions {
  int64_t out_channels = 0;  // must be given
  Sides<2> kernel_size = 3;
  Sides<2> stride = 1;
  std::optional<Padding<2>> padding = std::nullopt;  // half the window when left out
  Sides<2> dilation = 1;
  int64_t groups = 1;
  std::optional<bool> bias = std::nullopt;  // when there is no norm
  std::optional<Choice<Layer>> norm = batch_norm2d();
  std::optional<Choice<Layer>> activation = relu();
  static const Schema<ConvNormActivationOptions>& schema();
};

[[nodiscard]] Choice<Layer> conv_norm_activation(ConvNormActivationOptions options);

}  // namespace hearth::layers
