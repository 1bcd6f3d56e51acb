// x / (1 + exp(-x)), value by value.
#include "hearth/nn/layers/activation/silu.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Silu {
  using Options = SiluOptions;
  static constexpr const char* name = "silu";
  static at::Tensor of(const at::Tensor& input, const Options&, Kernels kernels) {
    return silu_values(kernels, input);
  }
};

}  // namespace

const Schema<SiluOptions>& SiluOptions::schema() { return no_fields<SiluOptions>(); }

Choice<Layer> silu(SiluOptions options) { return choose<Layer>("silu", options); }

void register_silu(Registry<Layer>& layers) {
  layers.add<Pointwise<Silu>>(Silu::name, "A smooth relu: x times its sigmoid.");
}

}  // namespace hearth::layers
