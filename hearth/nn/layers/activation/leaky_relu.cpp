// x where it is positive, a small share of it elsewhere.
#include "hearth/nn/layers/activation/leaky_relu.h"

#include <ATen/ops/leaky_relu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct LeakyRelu {
  using Options = LeakyReluOptions;
  static constexpr const char* name = "leaky_relu";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::leaky_relu(input, options.negative_slope);
  }
};

}  // namespace

const Schema<LeakyReluOptions>& LeakyReluOptions::schema() {
  using O = LeakyReluOptions;
  static const auto fields =
      Schema<O>().field(&O::negative_slope, "negative_slope", "Factor of negative values.");
  return fields;
}

Choice<Layer> leaky_relu(LeakyReluOptions options) { return choose<Layer>("leaky_relu", options); }

void register_leaky_relu(Registry<Layer>& layers) {
  layers.add<Pointwise<LeakyRelu>>(LeakyRelu::name,
                                   "A relu that keeps a small share of negative values.");
}

}  // namespace hearth::layers
