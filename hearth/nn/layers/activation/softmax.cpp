// Shares that sum to one along a dimension.
#include "hearth/nn/layers/activation/softmax.h"

#include <ATen/ops/softmax.h>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct Softmax {
  static constexpr const char* name = "softmax";
  static constexpr int64_t kParts = 1;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels) {
    return at::softmax(input, dim);
  }
};

}  // namespace

Choice<Layer> softmax(AxisOptions options) { return choose<Layer>("softmax", options); }

void register_softmax(Registry<Layer>& layers) {
  layers.add<AlongAxis<Softmax>>(Softmax::name, "Positive values that sum to 1 along a dimension.");
}

}  // namespace hearth::layers
