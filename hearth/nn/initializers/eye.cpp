// Ones where row and column are equal, else zeros.
#include "hearth/nn/initializers/eye.h"

#include <ATen/ops/eye.h>

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Eye : public Initializer {
 public:
  using Options = EyeOptions;
  explicit Eye(const Options&) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return shape.size() != 2 ? "it fills matrices of two dimensions" : "";
  }
  void fill(at::Tensor& values, const at::Generator&) const override {
    values.copy_(at::eye(values.size(0), values.size(1), values.options()));
  }
};

}  // namespace

const Schema<EyeOptions>& EyeOptions::schema() {
  static const auto fields = Schema<EyeOptions>();
  return fields;
}

Choice<Initializer> eye(EyeOptions options) { return choose<Initializer>("eye", options); }

void register_eye(Registry<Initializer>& initializers) {
  initializers.add<Eye>("eye",
                        "Ones where row and column are equal, else zeros: what goes in comes out.");
}

}  // namespace hearth::initializers
