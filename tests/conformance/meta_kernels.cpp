// For tests: operators that LibTorch 1.13 leaves out on its `meta` device in C++ (Python brings its
// own). They give tensors of the right shape, and touch no memory, as all others there.
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <array>

namespace hearth {
namespace {

using Three = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Optional = c10::optional<at::Tensor>;

at::Tensor relu(const at::Tensor& self) { return at::empty_like(self); }

// Activations, and their backward passes.
at::Tensor hardswish_backward(const at::Tensor&, const at::Tensor& self) {
  return at::empty_like(self);
}

at::Tensor hardtanh(const at::Tensor& self, const at::Scalar&, const at::Scalar&) {
  return at::empty_like(self);
}

at::Tensor hardtanh_backward(const at::Tensor&, const at::Tensor& self, const at::Scalar&,
                             const at::Scalar&) {
  return at::empty_like(self);
}

std::tuple<at::Tensor, at::Tensor> log_sigmoid(const at::Tensor& self) {
  return {at::empty_like(self), at::empty({0}, self.options())};
}

at::Tensor log_sigmoid_backward(const at::Tensor&, const at::Tensor& self, const at::Tensor&) {
  return at::empty_like(self);
}

at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight, const Optional&,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                       bool transposed, at::IntArrayRef output_padding, int64_t groups) {
  std::vector<int64_t> sizes = {input.size(0),
                                transposed ? weight.size(1) * groups : weight.size(0)};
  for (size_t i = 0; i < stride.size(); ++i) {
    const auto axis = static_cast<int64_t>(i) + 2;
    const int64_t window = dilation[i] * (weight.size(axis) - 1) + 1;
    const int64_t size = input.size(axis);
    sizes.push_back(transposed
                        ? (size - 1) * stride[i] - 2 * padding[i] + window + output_padding[i]
                        : (size + 2 * padding[i] - window) / stride[i] + 1);
  }
  return at::empty(sizes, input.options());
}

Three convolution_backward(const at::Tensor& gradient, const at::Tensor& input,
                           const at::Tensor& weight, at::IntArrayRef, at::IntArrayRef,
                           at::IntArrayRef, bool, at::IntArrayRef, int64_t, std::array<bool, 3>) {
  return {at::empty_like(input), at::empty_like(weight),
          at::empty({gradient.size(1)}, weight.options())};
}

Three batch_norm(const at::Tensor& input, const Optional&, const Optional&, const Optional&,
                 const Optional&, bool, double, double) {
  const at::Tensor statistics = at::empty({input.size(1)}, input.options());
  return {at::empty_like(input), statistics, at::empty_like(statistics)};
}

Three batch_norm_backward(const at::Tensor&, const at::Tensor& input, const Optional&,
                          const Optional&, const Optional&, const Optional&, const Optional&, bool,
                          double, std::array<bool, 3>) {
  const at::Tensor by_channel = at::empty({input.size(1)}, input.options());
  return {at::empty_like(input), by_channel, at::empty_like(by_channel)};
}

Three layer_norm(const at::Tensor& input, at::IntArrayRef shape, const Optional&, const Optional&,
                 double) {
  std::vector<int64_t> rows = input.sizes().vec();
  std::fill(rows.end() - static_cast<std::ptrdiff_t>(shape.size()), rows.end(), 1);
  const at::Tensor statistics = at::empty(rows, input.options());
  return {at::empty_like(input), statistics, at::empty_like(statistics)};
}

Three layer_norm_backward(const at::Tensor&, const at::Tensor& input, at::IntArrayRef shape,
                          const at::Tensor&, const at::Tensor&, const Optional&, const Optional&,
                          std::array<bool, 3> wanted) {
  const at::Tensor by_feature = at::empty(shape, input.options());
  return {at::empty_like(input), by_feature, wanted[2] ? at::empty_like(by_feature) : at::Tensor()};
}

at::Tensor index_select(const at::Tensor& self, int64_t dim, const at::Tensor& index) {
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes[static_cast<size_t>(dim)] = index.numel();
  return at::empty(sizes, self.options());
}

at::Tensor embedding_backward(const at::Tensor& gradient, const at::Tensor&, int64_t entries,
                              int64_t, bool) {
  return at::empty({entries, gradient.size(-1)}, gradient.options());
}

std::tuple<at::Tensor, at::Tensor> nll_loss2d(const at::Tensor& self, const at::Tensor&,
                                              const Optional&, int64_t, int64_t) {
  return {at::empty({}, self.options()), at::empty({}, self.options())};
}

at::Tensor nll_loss2d_backward(const at::Tensor&, const at::Tensor& self, const at::Tensor&,
                               const Optional&, int64_t, int64_t, const at::Tensor&) {
  return at::empty_like(self);
}

// How many there are depends on values: all of them, at most.
at::Tensor masked_select(const at::Tensor& self, const at::Tensor&) {
  return at::empty({self.numel()}, self.options());
}

at::Tensor where(const at::Tensor& condition, const at::Tensor& self, const at::Tensor& other) {
  const auto sizes = at::infer_size(condition.sizes(), at::infer_size(self.sizes(), other.sizes()));
  return at::empty(sizes, self.options());
}

at::Tensor greatest(const at::Tensor& self) { return at::empty({}, self.options()); }

at::Tensor dot(const at::Tensor& self, const at::Tensor&) { return at::empty({}, self.options()); }

at::Tensor isnan(const at::Tensor& self) {
  return at::empty(self.sizes(), self.options().dtype(at::kBool));
}

at::Tensor& like_one(const at::Tensor& self, at::Tensor& out) {
  out.resize_(self.sizes());
  return out;
}

at::Tensor& like_both(const at::Tensor& self, const at::Tensor& other, at::Tensor& out) {
  out.resize_(at::infer_size(self.sizes(), other.sizes()));
  return out;
}

TORCH_LIBRARY_IMPL(aten, Meta, operators) {
  operators.impl("relu", relu);
  operators.impl("hardswish", relu);
  operators.impl("hardswish_backward", hardswish_backward);
  operators.impl("hardtanh", hardtanh);
  operators.impl("hardtanh_backward", hardtanh_backward);
  operators.impl("log_sigmoid_forward", log_sigmoid);
  operators.impl("log_sigmoid_backward", log_sigmoid_backward);
  operators.impl("isnan", isnan);
  operators.impl("convolution_overrideable", convolution);
  operators.impl("convolution_backward_overrideable", convolution_backward);
  operators.impl("native_batch_norm", batch_norm);
  operators.impl("native_batch_norm_backward", batch_norm_backward);
  operators.impl("native_layer_norm", layer_norm);
  operators.impl("native_layer_norm_backward", layer_norm_backward);
  operators.impl("index_select", index_select);
  operators.impl("embedding_dense_backward", embedding_backward);
  operators.impl("nll_loss2d_forward", nll_loss2d);
  operators.impl("nll_loss2d_backward", nll_loss2d_backward);
  operators.impl("masked_select", masked_select);
  operators.impl("where.self", where);
  operators.impl("max", greatest);
  operators.impl("dot", dot);
  operators.impl("abs.out", like_one);
  operators.impl("logical_not.out", like_one);
  operators.impl("logical_and.out", like_both);
  operators.impl("logical_or.out", like_both);
}

}  // namespace
}  // namespace hearth
