// x times the share of a normal distribution below x, value by value.
#include "hearth/nn/layers/activation/gelu.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Gelu {
  using Options = GeluOptions;
  static constexpr const char* name = "gelu";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels kernels) {
    return gelu_values(kernels, input, options.approximate);
  }
};

}  // namespace

const Schema<GeluOptions>& GeluOptions::schema() {
  using O = GeluOptions;
  static const auto fields = Schema<O>().field(
      &O::approximate, "approximate", "The exact function, or the one by tanh that GPT-2 used.",
      one_of({"none", "tanh"}));
  return fields;
}

Choice<Layer> gelu(GeluOptions options) { return choose<Layer>("gelu", options); }

void register_gelu(Registry<Layer>& layers) {
  layers.add<Pointwise<Gelu>>(Gelu::name,
                              "A smooth relu: x times the share of a normal distribution below x.");
}

}  // namespace hearth::layers
