// A convolution over images [C, H, W].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using Conv2dOptions = ConvolutionOptions<2>;

[[nodiscard]] Choice<Layer> conv2d(Conv2dOptions options);

}  // namespace hearth::layers
