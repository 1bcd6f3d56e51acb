// A transposed convolution over lines [C, L]: the way back through a convolution.
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using ConvTranspose1dOptions = ConvolutionTransposeOptions<1>;

[[nodiscard]] Choice<Layer> conv_transpose1d(ConvTranspose1dOptions options);

}  // namespace hearth::layers
