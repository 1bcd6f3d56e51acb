// Weights at right angles, scaled until what each layer gives has variance 1 (Mishkin and Matas
// 2016), for values drawn from a normal distribution in the place of data: first values depend on
// the config alone.
#include "hearth/nn/initializers/lsuv.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"
#include "hearth/nn/orthogonal_values.h"
#include "hearth/nn/variance_scaling.h"

namespace hearth::initializers {
namespace {

class Lsuv : public Initializer {
 public:
  using Options = LsuvOptions;
  explicit Lsuv(Options options) : options_(options) {}

  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return orthogonal_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    fill_orthogonal(values, options_.std, generator);
  }

  [[nodiscard]] std::string fill_all(const InitScope& scope) const override {
    std::string reason = Initializer::fill_all(scope);
    if (!reason.empty()) return reason;
    std::vector<at::Tensor> weights;
    for (const auto& [name, parameter] : scope.parameters)
      if (parameter.dim() > 1) weights.push_back(parameter);
    scale_to_deviation(scope.model, weights, options_.std,
                       drawn_inputs(scope.model, options_.samples, scope.generator("lsuv")));
    return "";
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LsuvOptions>& LsuvOptions::schema() {
  using O = LsuvOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::samples, "samples", "How many samples are drawn to measure with.", at_least(1))
          .field(&O::std, "std", "The deviation of what each layer gives.", above(0));
  return fields;
}

Choice<Initializer> lsuv(LsuvOptions options) { return choose<Initializer>("lsuv", options); }

void register_lsuv(Registry<Initializer>& initializers) {
  initializers.add<Lsuv>("lsuv",
                         "Weights at right angles, scaled layer by layer until what each gives has "
                         "variance 1 for inputs drawn from a normal distribution.");
}

}  // namespace hearth::initializers
