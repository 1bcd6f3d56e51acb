// The order in memory in which a kernel wants a weight, and parameters that are laid out in it.
#include "hearth/kernels/weight/weight_order.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/variable.h>

#include <string>

#include "hearth/base/error.h"

namespace hearth {
namespace {

// Whether the values behind the pointer are those of the tensor, in the model's order.
bool is_laid_out_like(const at::Tensor& tensor, const at::Tensor& model) {
  return tensor.sizes() == model.sizes() && tensor.strides() == model.strides() &&
         !tensor.is_neg() && !tensor._is_zerotensor();
}

// Autograd remembers the shape of a parameter's gradient as long as some graph lives: it must ask
// again.
void replace_values(const at::Tensor& parameter, const at::Tensor& values) {
  parameter.set_data(values);
  torch::autograd::impl::set_grad_accumulator(parameter, {});
}

void move_values(const at::Tensor& parameter, const at::Tensor& into) {
  const c10::AutoGradMode no_grad(false);
  into.copy_(parameter.detach().reshape(into.sizes()));
  replace_values(parameter, into);
}

// It may have another form when values were moved while others stood in for them. Where processes
// share gradients out it may be a part of one, which has no form.
void move_gradient(const at::Tensor& parameter) {
  const c10::AutoGradMode no_grad(false);
  at::Tensor& gradient = parameter.mutable_grad();
  if (gradient.defined() && gradient.numel() == parameter.numel() &&
      gradient.sizes() != parameter.sizes())
    gradient = laid_out_like(gradient, parameter);
}

}  // namespace

std::array<int64_t, 4> ordinary_sizes(const at::Tensor& weight) {
  const at::IntArrayRef s = weight.sizes();
  if (s.size() == 4) return {s[0], s[1], s[2], s[3]};
  if (s.size() != 6)
    throw InternalError("A convolution's weight has " + std::to_string(s.size()) +
                        " dimensions; it needs 4, or 6 when it is packed.");
  return {s[0] * s[1], s[2] * s[3], s[4], s[5]};
}

at::Tensor laid_out_like(const at::Tensor& tensor, const at::Tensor& model) {
  if (is_laid_out_like(tensor, model)) return tensor;
  return at::empty_like(model.detach()).copy_(tensor.reshape(model.sizes()));
}

void pack_parameter(const at::Tensor& parameter, const WeightOrder& order) {
  if (!order.is_order_of(parameter))
    move_values(parameter, at::empty_strided(order.sizes, order.strides, parameter.options()));
  move_gradient(parameter);
}

void unpack_parameter(const at::Tensor& parameter, at::IntArrayRef sizes) {
  if (parameter.sizes() != sizes) move_values(parameter, at::empty(sizes, parameter.options()));
  move_gradient(parameter);
}

bool is_in_graph(const at::Tensor& parameter) {
  return torch::autograd::impl::try_get_grad_accumulator(parameter) != nullptr;
}

// Also the versions: kernels keep copies of weights until those change.
void share_parameter(const at::Tensor& first, const at::Tensor& own) {
  const bool is_shared =
      own.is_alias_of(first) && own.sizes() == first.sizes() && own.strides() == first.strides();
  if (is_shared) return;
  replace_values(own, first.detach());
  own.unsafeGetTensorImpl()->set_version_counter(first.unsafeGetTensorImpl()->version_counter());
}

}  // namespace hearth
