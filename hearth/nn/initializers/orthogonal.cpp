// A matrix whose rows, or columns, are at right angles.
#include "hearth/nn/initializers/orthogonal.h"

#include "hearth/config/registry.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"
#include "hearth/nn/orthogonal_values.h"

namespace hearth::initializers {
namespace {

class Orthogonal : public Initializer {
 public:
  using Options = OrthogonalOptions;
  explicit Orthogonal(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return orthogonal_misfit(shape);
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    fill_orthogonal(values, options_.gain, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OrthogonalOptions>& OrthogonalOptions::schema() {
  using O = OrthogonalOptions;
  static const auto fields = Schema<O>().field(&O::gain, "gain", kGainHelp, above(0));
  return fields;
}

Choice<Initializer> orthogonal(OrthogonalOptions options) {
  return choose<Initializer>("orthogonal", options);
}

void register_orthogonal(Registry<Initializer>& initializers) {
  initializers.add<Orthogonal>(
      "orthogonal", "A matrix whose rows, or columns, are at right angles and of equal length.");
}

}  // namespace hearth::initializers
