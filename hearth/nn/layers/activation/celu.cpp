// x where it is positive, alpha (exp(x / alpha) - 1) elsewhere.
#include "hearth/nn/layers/activation/celu.h"

#include <ATen/ops/celu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Celu {
  using Options = CeluOptions;
  static constexpr const char* name = "celu";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::celu(input, options.alpha);
  }
};

}  // namespace

const Schema<CeluOptions>& CeluOptions::schema() {
  using O = CeluOptions;
  static const auto fields = Schema<O>().field(
      &O::alpha, "alpha", "Minus the least value that comes out; not zero.", above(0));
  return fields;
}

Choice<Layer> celu(CeluOptions options) { return choose<Layer>("celu", options); }

void register_celu(Registry<Layer>& layers) {
  layers.add<Pointwise<Celu>>(Celu::name, "An elu whose slope has no step at zero for any alpha.");
}

}  // namespace hearth::layers
