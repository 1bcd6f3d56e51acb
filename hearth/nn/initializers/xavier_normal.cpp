// Normal numbers that keep the size of values and of gradients (Glorot).
#include "hearth/nn/initializers/xavier_normal.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class XavierNormal : public Initializer {
 public:
  using Options = XavierNormalOptions;
  explicit XavierNormal(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return fan_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    const Fans fans = fans_of(values.sizes());
    const double std = options_.gain * std::sqrt(2 / (fans.in + fans.out));
    values.normal_(0, std, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<XavierNormalOptions>& XavierNormalOptions::schema() {
  using O = XavierNormalOptions;
  static const auto fields = Schema<O>().field(&O::gain, "gain", kGainHelp, above(0));
  return fields;
}

Choice<Initializer> xavier_normal(XavierNormalOptions options) {
  return choose<Initializer>("xavier_normal", options);
}

void register_xavier_normal(Registry<Initializer>& initializers) {
  initializers.add<XavierNormal>(
      "xavier_normal", "Normal numbers that keep the size of values and of gradients (Glorot).");
}

}  // namespace hearth::initializers
