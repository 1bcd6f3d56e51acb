// Ops that change an image by a factor drawn for each sample.
#pragma once

#include <utility>

#include "hearth/data/image/drawn_range.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth {

// A change has Options with `strength`, kName, kTakesAnyColors and adjust(image, factor).
template <class Change>
class FactorOp : public PixelOp<typename Change::Options> {
 public:
  using Options = typename Change::Options;
  explicit FactorOp(Options options)
      : PixelOp<Options>(Change::kName, std::move(options),
                         {.takes_any_colors = Change::kTakesAnyColors}),
        factors_(factor_range(this->options_.strength)) {}

 private:
  void change(Random& random, const View& image) const override {
    Change::adjust(pixels_of(image), factors_.draw(random));
  }

  DrawnRange factors_;
};

template <class O>
[[nodiscard]] Schema<O> factor_schema() {
  return pixel_schema<O>()
      .field(&O::strength, "strength",
             "One number s: factors from 1 - s, but not below 0, to 1 + s. Two numbers: the least "
             "and the greatest factor.",
             not_empty(), at_least(0), at_most(1000))
      .check("'strength' must hold one number, or two in order.",
             [](const O& options) { return is_one_or_range(options.strength); });
}

}  // namespace hearth
