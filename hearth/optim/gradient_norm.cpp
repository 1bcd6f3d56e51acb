// The norm of many gradients together.
#include "hearth/optim/gradient_norm.h"

#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>

namespace hearth {

at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients) {
  if (gradients.empty()) return {};
  std::vector<at::Tensor> norms;
  norms.reserve(gradients.size());
  for (const at::Tensor& gradient : gradients) norms.push_back(at::norm(gradient, 2));
  return at::norm(at::stack(norms), 2);
}

void clip_gradient_norm(const std::vector<at::Tensor>& gradients, double limit) {
  if (gradients.empty()) return;
  const at::Tensor norm = gradient_norm(gradients);
  const at::Tensor factor = norm.add(1e-6).reciprocal_().mul_(limit).clamp_max_(1);
  for (const at::Tensor& gradient : gradients) gradient.mul_(factor);
}

}  // namespace hearth
