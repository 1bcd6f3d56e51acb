// Schedules and numbers, multiplied at every moment.
#include "hearth/schedule/schedules/product.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/schedule/combined.h"

namespace hearth::schedules {
namespace {

struct Multiplying {
  using Range = std::pair<double, double>;
  static double of(double left, double right) { return left * right; }
  // Two negative ends may make the greatest product.
  static Range of(const Range& left, const Range& right) {
    return std::minmax({end_of(left.first, right.first), end_of(left.first, right.second),
                        end_of(left.second, right.first), end_of(left.second, right.second)});
  }
  // A range without end is of values that are finite themselves: none of them moves 0.
  static double end_of(double left, double right) {
    return left == 0 || right == 0 ? 0 : left * right;
  }
};

}  // namespace

const Schema<ProductOptions>& ProductOptions::schema() {
  using O = ProductOptions;
  static const auto schema = Schema<O>().field(
      &O::of, "of", "What is multiplied: numbers and schedules.", required(), not_empty());
  return schema;
}

Choice<Schedule> product(ProductOptions options) { return choose<Schedule>("product", options); }

void register_product(Registry<Schedule>& registry) {
  registry.add<Combined<ProductOptions, Multiplying>>("product",
                                                      "Schedules and numbers, multiplied.");
}

}  // namespace hearth::schedules
