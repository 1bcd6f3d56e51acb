// The norm of many gradients together.
#include "hearth/optim/gradient_norm.h"

#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>

namespace hearth {

at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients) {
  if (gradients.empty()) return {};
  std::vector<at::Tensor> norms;
  norms.reserve(gradients.size());
  // Parts of a model may lie on several devices.
  const at::Device device = gradients.front().device();
  for (const at::Tensor& gradient : gradients) norms.push_back(at::norm(gradient, 2).to(device));
  return norm_of_norms(norms);
}

at::Tensor norm_of_norms(const std::vector<at::Tensor>& norms) {
  return at::norm(at::stack(norms), 2);
}

at::Tensor clip_factor(const at::Tensor& norm, double limit) {
  return norm.add(1e-6).reciprocal_().mul_(limit).clamp_max_(1);
}

void clip_gradient_norm(const std::vector<at::Tensor>& gradients, double limit) {
  if (gradients.empty()) return;
  const at::Tensor factor = clip_factor(gradient_norm(gradients), limit);
  for (const at::Tensor& gradient : gradients) gradient.mul_(factor.to(gradient.device()));
}

}  // namespace hearth
