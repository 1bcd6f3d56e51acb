// The same number everywhere.
#include "hearth/nn/initializers/constant.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Constant : public Initializer {
 public:
  using Options = ConstantOptions;
  explicit Constant(Options options) : options_(std::move(options)) {}
  void fill(at::Tensor& values, const at::Generator&) const override {
    values.fill_(options_.value);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ConstantOptions>& ConstantOptions::schema() {
  using O = ConstantOptions;
  static const auto fields = Schema<O>().field(&O::value, "value", "The number.");
  return fields;
}

Choice<Initializer> constant(ConstantOptions options) {
  return choose<Initializer>("constant", options);
}

void register_constant(Registry<Initializer>& initializers) {
  initializers.add<Constant>("constant", "The same number everywhere.");
}

}  // namespace hearth::initializers
