// The first half of the values, let through by a relu of the second.
#include "hearth/nn/layers/activation/reglu.h"

#include <ATen/ops/relu.h>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct Reglu {
  static constexpr const char* name = "reglu";
  static constexpr int64_t kParts = 2;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels) {
    return gated(input, dim, at::relu);
  }
};

}  // namespace

Choice<Layer> reglu(AxisOptions options) { return choose<Layer>("reglu", options); }

void register_reglu(Registry<Layer>& layers) {
  layers.add<AlongAxis<Reglu>>(Reglu::name,
                               "The first half of the features times the relu of the second half.");
}

}  // namespace hearth::layers
