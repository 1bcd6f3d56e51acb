// Numbers drawn from normal distributions.
#pragma once

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SampleGaussianOptions {
  static const Schema<SampleGaussianOptions>& schema();
};

[[nodiscard]] Choice<Layer> sample_gaussian(SampleGaussianOptions options = {});

}  // namespace hearth::layers
