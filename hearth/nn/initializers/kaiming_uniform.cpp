// Uniform numbers that keep the size of values through relus (He).
#include "hearth/nn/initializers/kaiming_uniform.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class KaimingUniform : public Initializer {
 public:
  using Options = KaimingUniformOptions;
  explicit KaimingUniform(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return fan_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    const Fans fans = fans_of(values.sizes());
    const double fan = options_.mode == "fan_in" ? fans.in : fans.out;
    const double std = gain_of(options_.activation, options_.negative_slope) / std::sqrt(fan);
    const double bound = std::sqrt(3.0) * std;
    values.uniform_(-bound, bound, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<KaimingUniformOptions>& KaimingUniformOptions::schema() {
  using O = KaimingUniformOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::mode, "mode", kModeHelp, one_of({"fan_in", "fan_out"}))
          .field(&O::activation, "activation", kActivationHelp, activation_names())
          .field(&O::negative_slope, "negative_slope", "Of a leaky_relu.", at_least(0));
  return fields;
}

Choice<Initializer> kaiming_uniform(KaimingUniformOptions options) {
  return choose<Initializer>("kaiming_uniform", options);
}

void register_kaiming_uniform(Registry<Initializer>& initializers) {
  initializers.add<KaimingUniform>(
      "kaiming_uniform", "Uniform numbers that keep the size of values through relus (He).");
}

}  // namespace hearth::initializers
