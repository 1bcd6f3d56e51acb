// x where it is positive, alpha (exp(x) - 1) elsewhere.
#include "hearth/nn/layers/activation/elu.h"

#include <ATen/ops/elu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Elu {
  using Options = EluOptions;
  static constexpr const char* name = "elu";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::elu(input, options.alpha);
  }
};

}  // namespace

const Schema<EluOptions>& EluOptions::schema() {
  using O = EluOptions;
  static const auto fields =
      Schema<O>().field(&O::alpha, "alpha", "Minus the least value that comes out.");
  return fields;
}

Choice<Layer> elu(EluOptions options) { return choose<Layer>("elu", options); }

void register_elu(Registry<Layer>& layers) {
  layers.add<Pointwise<Elu>>(Elu::name,
                             "Keeps positive values; negative ones go smoothly towards -alpha.");
}

}  // namespace hearth::layers
