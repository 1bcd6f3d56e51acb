// log(1 + exp(beta x)) / beta, value by value.
#include "hearth/nn/layers/activation/softplus.h"

#include <ATen/ops/softplus.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Softplus {
  using Options = SoftplusOptions;
  static constexpr const char* name = "softplus";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::softplus(input, options.beta, options.threshold);
  }
};

}  // namespace

const Schema<SoftplusOptions>& SoftplusOptions::schema() {
  using O = SoftplusOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::beta, "beta", "The larger, the closer to a relu.", above(0))
          .field(&O::threshold, "threshold",
                 "Where beta times x is above this, x itself comes out.");
  return fields;
}

Choice<Layer> softplus(SoftplusOptions options) { return choose<Layer>("softplus", options); }

void register_softplus(Registry<Layer>& layers) {
  layers.add<Pointwise<Softplus>>(Softplus::name,
                                  "A smooth relu that is positive everywhere: log(1 + exp(x)).");
}

}  // namespace hearth::layers
