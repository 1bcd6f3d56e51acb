// Normally distributed numbers.
#include "hearth/nn/initializers/normal.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Normal : public Initializer {
 public:
  using Options = NormalOptions;
  explicit Normal(Options options) : options_(std::move(options)) {}
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.normal_(options_.mean, options_.std, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<NormalOptions>& NormalOptions::schema() {
  using O = NormalOptions;
  static const auto fields = Schema<O>()
                                 .field(&O::mean, "mean", "Their mean.")
                                 .field(&O::std, "std", "Their standard deviation.", at_least(0));
  return fields;
}

Choice<Initializer> normal(NormalOptions options) { return choose<Initializer>("normal", options); }

void register_normal(Registry<Initializer>& initializers) {
  initializers.add<Normal>("normal", "Normally distributed numbers.");
}

}  // namespace hearth::initializers
