// A convolution over volumes [C, D, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using Conv3dOptions = ConvolutionOptions<3>;

[[nodiscard]] Choice<Layer> conv3d(Conv3dOptions options);

}  // namespace hearth::layers
