// Options of confidence intervals, which every metric of samples has. Needs no LibTorch.
#pragma once

#include <cstdint>

#include "hearth/config/schema.h"

namespace hearth {

struct BootstrapOptions {
  int64_t resamples = 0;
  double confidence = 0.95;
  int64_t seed = 0;
  static const Schema<BootstrapOptions>& schema();
};

}  // namespace hearth
