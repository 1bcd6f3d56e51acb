// A residual block that is wide in the middle, where a depthwise convolution works.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/relu6.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth::layers {

struct InvertedResidualOptions {
  int64_t out_channels = 0;  // must be given
  int64_t kernel_size = 3;
  int64_t stride = 1;
  int64_t dilation = 1;
  double expand_ratio = 6;
  std::optional<int64_t> expanded_channels = std::nullopt;  // by expand_ratio when left out
  std::optional<Choice<Layer>> squeeze = std::nullopt;
  Choice<Layer> norm = batch_norm2d();
  Choice<Layer> activation = relu6();
  double drop_path = 0;
  std::string names = "mobilenet_v2";
  static const Schema<InvertedResidualOptions>& schema();
};

[[nodiscard]] Choice<Layer> inverted_residual(InvertedResidualOptions options);

}  // namespace hearth::layers
