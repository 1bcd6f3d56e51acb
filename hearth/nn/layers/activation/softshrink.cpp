// x moved towards zero, and zero where it is near.
#include "hearth/nn/layers/activation/softshrink.h"

#include <ATen/ops/softshrink.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Softshrink {
  using Options = SoftshrinkOptions;
  static constexpr const char* name = "softshrink";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::softshrink(input, options.lambda);
  }
};

}  // namespace

const Schema<SoftshrinkOptions>& SoftshrinkOptions::schema() {
  using O = SoftshrinkOptions;
  static const auto fields =
      Schema<O>().field(&O::lambda, "lambda",
                        "How far values are moved; those nearer to zero become zero.", at_least(0));
  return fields;
}

Choice<Layer> softshrink(SoftshrinkOptions options) { return choose<Layer>("softshrink", options); }

void register_softshrink(Registry<Layer>& layers) {
  layers.add<Pointwise<Softshrink>>(
      Softshrink::name, "Moves values towards zero by `lambda`; those nearer become zero.");
}

}  // namespace hearth::layers
