// 1 / (1 + exp(-x)), value by value.
#include "hearth/nn/layers/activation/sigmoid.h"

#include <ATen/ops/sigmoid.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Sigmoid {
  using Options = SigmoidOptions;
  static constexpr const char* name = "sigmoid";
  static at::Tensor of(const at::Tensor& input, const Options&, Kernels) {
    return at::sigmoid(input);
  }
};

}  // namespace

const Schema<SigmoidOptions>& SigmoidOptions::schema() { return no_fields<SigmoidOptions>(); }

Choice<Layer> sigmoid(SigmoidOptions options) { return choose<Layer>("sigmoid", options); }

void register_sigmoid(Registry<Layer>& layers) {
  layers.add<Pointwise<Sigmoid>>(Sigmoid::name, "Squeezes values between 0 and 1.");
}

}  // namespace hearth::layers
