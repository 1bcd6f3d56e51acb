// What the size and the angles of weights cost, as a part of the loss.
#include "hearth/config/weight_prices.h"

namespace hearth {

const Schema<WeightPrices>& WeightPrices::schema() {
  using O = WeightPrices;
  static const auto fields =
      Schema<O>()
          .field(&O::l1, "l1", "Price of the sum of sizes.", at_least(0))
          .field(&O::l2, "l2", "Price of the sum of squares.", at_least(0))
          .field(&O::orthogonal, "orthogonal",
                 "Price of how far rows of a weight are from right angles and length 1.",
                 at_least(0))
          .field(&O::vectors, "vectors", "Also biases and other parameters of one dimension.");
  return fields;
}

}  // namespace hearth
