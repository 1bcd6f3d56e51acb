// One axis of a depthwise convolution: which places of a source meet in each place of a target.
#include "hearth/kernels/convolution/depthwise_axis.h"

namespace hearth {

DepthwiseAxis DepthwiseAxis::forward(const WindowAxis& axis) {
  DepthwiseAxis result;
  result.taps_.resize(static_cast<size_t>(axis.output));
  for (int64_t target = 0; target < axis.output; ++target) {
    std::vector<AxisTap>& taps = result.taps_[static_cast<size_t>(target)];
    for (int64_t k = 0; k < axis.kernel; ++k) {
      const int64_t source = target * axis.stride - axis.padding + k * axis.dilation;
      if (source >= 0 && source < axis.input) taps.push_back({source, k});
    }
    if (static_cast<int64_t>(taps.size()) != axis.kernel) continue;
    if (result.whole_.second == 0) result.whole_.first = target;
    result.whole_.second = target + 1;
  }
  return result;
}

DepthwiseAxis DepthwiseAxis::backward(const WindowAxis& axis) {
  if (axis.stride == 1) {
    const int64_t padding = (axis.kernel - 1) * axis.dilation - axis.padding;
    return forward({axis.output, axis.input, axis.kernel, 1, padding, axis.dilation});
  }
  DepthwiseAxis result;
  result.taps_.resize(static_cast<size_t>(axis.input));
  for (int64_t source = 0; source < axis.output; ++source)
    for (int64_t k = 0; k < axis.kernel; ++k) {
      const int64_t target = source * axis.stride - axis.padding + k * axis.dilation;
      if (target >= 0 && target < axis.input)
        result.taps_[static_cast<size_t>(target)].push_back({source, axis.kernel - 1 - k});
    }
  return result;
}

}  // namespace hearth
