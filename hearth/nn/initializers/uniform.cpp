// Equally likely numbers of a range.
#include "hearth/nn/initializers/uniform.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Uniform : public Initializer {
 public:
  using Options = UniformOptions;
  explicit Uniform(Options options) : options_(std::move(options)) {}
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.uniform_(options_.low, options_.high, generator);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<UniformOptions>& UniformOptions::schema() {
  using O = UniformOptions;
  static const auto fields = Schema<O>()
                                 .field(&O::low, "low", "The least number.")
                                 .field(&O::high, "high", "The greatest number.")
                                 .check("low must not be above high.", [](const O& options) {
                                   return options.low <= options.high;
                                 });
  return fields;
}

Choice<Initializer> uniform(UniformOptions options) {
  return choose<Initializer>("uniform", options);
}

void register_uniform(Registry<Initializer>& initializers) {
  initializers.add<Uniform>("uniform", "Equally likely numbers of a range.");
}

}  // namespace hearth::initializers
