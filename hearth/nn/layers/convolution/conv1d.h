// A convolution over lines [C, L].
#pragma once

#include "hearth/config/choice.h"
#include "hearth/nn/convolution_options.h"

namespace hearth::layers {

using Conv1dOptions = ConvolutionOptions<1>;

[[nodiscard]] Choice<Layer> conv1d(Conv1dOptions options);

}  // namespace hearth::layers
