// The first half of the values, let through by a gelu of the second.
#include "hearth/nn/layers/activation/geglu.h"

#include "hearth/kernels/activation/activation_values.h"
#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct Geglu {
  static constexpr const char* name = "geglu";
  static constexpr int64_t kParts = 2;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels kernels) {
    return gated(input, dim,
                 [&](const at::Tensor& gate) { return gelu_values(kernels, gate, "none"); });
  }
};

}  // namespace

Choice<Layer> geglu(AxisOptions options) { return choose<Layer>("geglu", options); }

void register_geglu(Registry<Layer>& layers) {
  layers.add<AlongAxis<Geglu>>(Geglu::name,
                               "The first half of the features times the gelu of the second half.");
}

}  // namespace hearth::layers
