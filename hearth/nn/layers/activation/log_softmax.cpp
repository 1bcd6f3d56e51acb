// Logarithms of shares that sum to one along a dimension.
#include "hearth/nn/layers/activation/log_softmax.h"

#include <ATen/ops/log_softmax.h>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

struct LogSoftmax {
  static constexpr const char* name = "log_softmax";
  static constexpr int64_t kParts = 1;
  static at::Tensor of(const at::Tensor& input, int64_t dim, Kernels) {
    return at::log_softmax(input, dim);
  }
};

}  // namespace

Choice<Layer> log_softmax(AxisOptions options) { return choose<Layer>("log_softmax", options); }

void register_log_softmax(Registry<Layer>& layers) {
  layers.add<AlongAxis<LogSoftmax>>(LogSoftmax::name,
                                    "Logarithms of values that sum to 1 along a dimension.");
}

}  // namespace hearth::layers
