// max(x, 0), value by value.
#include "hearth/nn/layers/activation/relu.h"

#include <ATen/ops/relu.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Relu {
  using Options = ReluOptions;
  static constexpr const char* name = "relu";
  static at::Tensor of(const at::Tensor& input, const Options&, Kernels) { return at::relu(input); }
};

}  // namespace

const Schema<ReluOptions>& ReluOptions::schema() { return no_fields<ReluOptions>(); }

Choice<Layer> relu(ReluOptions options) { return choose<Layer>("relu", options); }

void register_relu(Registry<Layer>& layers) {
  layers.add<Pointwise<Relu>>(Relu::name, "Keeps positive values, makes the others zero.");
}

}  // namespace hearth::layers
