// EfficientNetV2's block for early stages: the first two convolutions of an inverted residual as
// one.
#pragma once

#include <cstdint>

#include "hearth/config/choice.h"
#include "hearth/nn/layers/activation/silu.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth::layers {

struct FusedMbconvOptions {
  int64_t out_channels = 0;  // must be given
  int64_t kernel_size = 3;
  int64_t stride = 1;
  double expand_ratio = 4;
  Choice<Layer> norm = batch_norm2d();
  Choice<Layer> activation = silu();
  double drop_path = 0;
  static const Schema<FusedMbconvOptions>& schema();
};

[[nodiscard]] Choice<Layer> fused_mbconv(FusedMbconvOptions options);

}  // namespace hearth::layers
