// First values of one size and either sign.
#include "initializers/open_signs.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class OpenSigns : public Initializer {
 public:
  using Options = OpenSignsOptions;
  explicit OpenSigns(Options options) : options_(options) {}

  // Random numbers come from the generator alone, so that a run can be repeated.
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.uniform_(-options_.size, options_.size, generator).sign_().mul_(options_.size);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenSignsOptions>& OpenSignsOptions::schema() {
  using O = OpenSignsOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>().field(&O::size, "size", "How far from zero each value is.", at_least(0));
  return schema;
}

Choice<Initializer> open_signs(OpenSignsOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Initializer>("open_signs", options);
}

void register_open_signs(Registry<Initializer>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<OpenSigns>("open_signs", "Values of one size and either sign.");
}

}  // namespace hearth::initializers
