// The hyperbolic tangent, value by value.
#include "hearth/nn/layers/activation/tanh.h"

#include <ATen/ops/tanh.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Tanh {
  using Options = TanhOptions;
  static constexpr const char* name = "tanh";
  static at::Tensor of(const at::Tensor& input, const Options&, Kernels) { return at::tanh(input); }
};

}  // namespace

const Schema<TanhOptions>& TanhOptions::schema() { return no_fields<TanhOptions>(); }

Choice<Layer> tanh(TanhOptions options) { return choose<Layer>("tanh", options); }

void register_tanh(Registry<Layer>& layers) {
  layers.add<Pointwise<Tanh>>(Tanh::name, "Squeezes values between -1 and 1.");
}

}  // namespace hearth::layers
