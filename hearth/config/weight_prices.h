// What the size and the angles of weights cost, as a part of the loss.
#pragma once

#include "hearth/config/schema.h"

namespace hearth {

struct WeightPrices {
  double l1 = 0;
  double l2 = 0;
  double orthogonal = 0;
  bool vectors = false;
  static const Schema<WeightPrices>& schema();
};

}  // namespace hearth
