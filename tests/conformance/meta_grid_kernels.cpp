// For tests: operators on grids that LibTorch 1.13 leaves out on its `meta` device in C++.
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <array>
#include <tuple>
#include <vector>

#include "hearth/kernels/pooling/pool_shape.h"

namespace hearth {
namespace {

using Two = std::tuple<at::Tensor, at::Tensor>;
using Three = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Optional = c10::optional<at::Tensor>;

at::Tensor adaptive_pool(const at::Tensor& self, at::IntArrayRef size) {
  std::vector<int64_t> sizes = {self.size(0), self.size(1)};
  sizes.insert(sizes.end(), size.begin(), size.end());
  return at::empty(sizes, self.options());
}

at::Tensor adaptive_pool_backward(const at::Tensor&, const at::Tensor& self) {
  return at::empty_like(self);
}

Sides<3> sides_of(at::IntArrayRef lengths) { return {lengths[0], lengths[1], lengths[2]}; }

Two max_pool3d(const at::Tensor& self, at::IntArrayRef kernel, at::IntArrayRef stride,
               at::IntArrayRef padding, at::IntArrayRef dilation, bool ceil_mode) {
  const PoolShape<3> shape = {sides_of(kernel), sides_of(stride), sides_of(padding),
                              sides_of(dilation), ceil_mode};
  std::vector<int64_t> sizes = {self.size(0), self.size(1)};
  for (size_t side = 0; side < 3; ++side)
    sizes.push_back(shape.places(side, self.size(static_cast<int64_t>(side) + 2)));
  return {at::empty(sizes, self.options()), at::empty(sizes, self.options().dtype(at::kLong))};
}

at::Tensor max_pool3d_backward(const at::Tensor&, const at::Tensor& self, at::IntArrayRef,
                               at::IntArrayRef, at::IntArrayRef, at::IntArrayRef, bool,
                               const at::Tensor&) {
  return at::empty_like(self);
}

Three group_norm(const at::Tensor& input, const Optional&, const Optional&, int64_t batch, int64_t,
                 int64_t, int64_t groups, double) {
  const at::Tensor statistics = at::empty({batch, groups}, input.options());
  return {at::empty_like(input), statistics, at::empty_like(statistics)};
}

Three group_norm_backward(const at::Tensor&, const at::Tensor& input, const at::Tensor&,
                          const at::Tensor&, const Optional&, int64_t, int64_t channels, int64_t,
                          int64_t, std::array<bool, 3> wanted) {
  const at::Tensor by_channel = at::empty({channels}, input.options());
  return {at::empty_like(input), wanted[1] ? by_channel : at::Tensor(),
          wanted[2] ? at::empty_like(by_channel) : at::Tensor()};
}

at::Tensor reflection_pad2d(const at::Tensor& self, at::IntArrayRef padding) {
  return at::empty({self.size(0), self.size(1), self.size(2) + padding[2] + padding[3],
                    self.size(3) + padding[0] + padding[1]},
                   self.options());
}

at::Tensor reflection_pad2d_backward(const at::Tensor&, const at::Tensor& self, at::IntArrayRef) {
  return at::empty_like(self);
}

Two weight_norm(const at::Tensor& direction, const at::Tensor& length, int64_t) {
  return {at::empty_like(direction), at::empty_like(length)};
}

Two weight_norm_backward(const at::Tensor&, const at::Tensor& direction, const at::Tensor& length,
                         const at::Tensor&, int64_t) {
  return {at::empty_like(direction), at::empty_like(length)};
}

TORCH_LIBRARY_IMPL(aten, Meta, operators) {
  operators.impl("_adaptive_avg_pool2d", adaptive_pool);
  operators.impl("_adaptive_avg_pool2d_backward", adaptive_pool_backward);
  operators.impl("_adaptive_avg_pool3d", adaptive_pool);
  operators.impl("_adaptive_avg_pool3d_backward", adaptive_pool_backward);
  operators.impl("max_pool3d_with_indices", max_pool3d);
  operators.impl("max_pool3d_with_indices_backward", max_pool3d_backward);
  operators.impl("native_group_norm", group_norm);
  operators.impl("native_group_norm_backward", group_norm_backward);
  operators.impl("_weight_norm_interface", weight_norm);
  operators.impl("_weight_norm_interface_backward", weight_norm_backward);
  operators.impl("reflection_pad2d", reflection_pad2d);
  operators.impl("reflection_pad2d_backward", reflection_pad2d_backward);
}

}  // namespace
}  // namespace hearth
