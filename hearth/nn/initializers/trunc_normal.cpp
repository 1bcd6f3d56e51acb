// Normally distributed numbers, without those beyond two bounds.
#include "hearth/nn/initializers/trunc_normal.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class TruncNormal : public Initializer {
 public:
  using Options = TruncNormalOptions;
  explicit TruncNormal(Options options) : options_(std::move(options)) {}
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    const auto share_below = [](double x) { return (1 + std::erf(x / std::sqrt(2.0))) / 2; };
    const double least = share_below((options_.low - options_.mean) / options_.std);
    const double most = share_below((options_.high - options_.mean) / options_.std);
    // Equally likely shares, turned into the numbers that have them below.
    values.uniform_(2 * least - 1, 2 * most - 1, generator).erfinv_();
    values.mul_(options_.std * std::sqrt(2.0)).add_(options_.mean);
    values.clamp_(options_.low, options_.high);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<TruncNormalOptions>& TruncNormalOptions::schema() {
  using O = TruncNormalOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::mean, "mean", "The mean before the bounds.")
          .field(&O::std, "std", "The standard deviation before the bounds.", above(0))
          .field(&O::low, "low", "The least number.")
          .field(&O::high, "high", "The greatest number.")
          .check("low must be below high.",
                 [](const O& options) { return options.low < options.high; });
  return fields;
}

Choice<Initializer> trunc_normal(TruncNormalOptions options) {
  return choose<Initializer>("trunc_normal", options);
}

void register_trunc_normal(Registry<Initializer>& initializers) {
  initializers.add<TruncNormal>("trunc_normal",
                                "Normally distributed numbers, without those beyond two bounds.");
}

}  // namespace hearth::initializers
