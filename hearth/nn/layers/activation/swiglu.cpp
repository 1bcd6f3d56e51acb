// The first half of the values, let through by a silu of the second.
#include "hearth/nn/layers/activation/swiglu.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct Swiglu {
  static constexpr const char* name = "swiglu";
  static constexpr int64_t kParts = 2;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels kernels) {
    return gated(input, dim, [&](const at::Tensor& gate) { return silu_values(kernels, gate); });
  }
};

}  // namespace

Choice<Layer> swiglu(AxisOptions options) { return choose<Layer>("swiglu", options); }

void register_swiglu(Registry<Layer>& layers) {
  layers.add<AlongAxis<Swiglu>>(
      Swiglu::name, "The first half of the features times the silu of the second half.");
}

}  // namespace hearth::layers
