// The first half of the values, let through by a sigmoid of the second.
#include "hearth/nn/layers/activation/glu.h"

#include <ATen/ops/sigmoid.h>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct Glu {
  static constexpr const char* name = "glu";
  static constexpr int64_t kParts = 2;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels) {
    return gated(input, dim, at::sigmoid);
  }
};

}  // namespace

Choice<Layer> glu(AxisOptions options) { return choose<Layer>("glu", options); }

void register_glu(Registry<Layer>& layers) {
  layers.add<AlongAxis<Glu>>(
      Glu::name, "The first half of the features times the sigmoid of the second half.");
}

}  // namespace hearth::layers
