// Options of batch normalization over any number of dimensions.
#pragma once

#include "hearth/config/choice.h"

namespace hearth {

struct BatchNormOptions {
  double momentum = 0.1;
  double eps = 1e-5;
  bool affine = true;
  bool sync = false;
  static const Schema<BatchNormOptions>& schema();
};

}  // namespace hearth
