// A layer whose weight is divided by its largest singular value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct SpectralNormOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  std::string parameter = "weight";
  int64_t dim = 0;
  int64_t n_power_iterations = 1;
  double eps = 1e-12;
  static const Schema<SpectralNormOptions>& schema();
};

[[nodiscard]] Choice<Layer> spectral_norm(SpectralNormOptions options);

}  // namespace hearth::layers
