// x where it is far from zero, zero elsewhere.
#include "hearth/nn/layers/activation/hardshrink.h"

#include <ATen/ops/hardshrink.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Hardshrink {
  using Options = HardshrinkOptions;
  static constexpr const char* name = "hardshrink";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::hardshrink(input, options.lambda);
  }
};

}  // namespace

const Schema<HardshrinkOptions>& HardshrinkOptions::schema() {
  using O = HardshrinkOptions;
  static const auto fields = Schema<O>().field(
      &O::lambda, "lambda", "Distance from zero up to which values become zero.", at_least(0));
  return fields;
}

Choice<Layer> hardshrink(HardshrinkOptions options) { return choose<Layer>("hardshrink", options); }

void register_hardshrink(Registry<Layer>& layers) {
  layers.add<Pointwise<Hardshrink>>(
      Hardshrink::name,
      "Keeps values that are farther from zero than `lambda`, makes the others zero.");
}

}  // namespace hearth::layers
