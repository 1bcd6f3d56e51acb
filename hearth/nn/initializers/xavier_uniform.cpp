// Uniform numbers that keep the size of values and of gradients (Glorot).
#include "hearth/nn/initializers/xavier_uniform.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class XavierUniform : public Initializer {
 public:
  using Options = XavierUniformOptions;
  explicit XavierUniform(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return fan_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    const Fans fans = fans_of(values.sizes());
    const double std = options_.gain * std::sqrt(2 / (fans.in + fans.out));
    const double bound = std::sqrt(3.0) * std;
    values.uniform_(-bound, bound, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<XavierUniformOptions>& XavierUniformOptions::schema() {
  using O = XavierUniformOptions;
  static const auto fields = Schema<O>().field(&O::gain, "gain", kGainHelp, above(0));
  return fields;
}

Choice<Initializer> xavier_uniform(XavierUniformOptions options) {
  return choose<Initializer>("xavier_uniform", options);
}

void register_xavier_uniform(Registry<Initializer>& initializers) {
  initializers.add<XavierUniform>(
      "xavier_uniform", "Uniform numbers that keep the size of values and of gradients (Glorot).");
}

}  // namespace hearth::initializers
