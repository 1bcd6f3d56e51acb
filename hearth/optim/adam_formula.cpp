// What adam and adamw have in common, with PyTorch's formulas.
#include "hearth/optim/adam_formula.h"

#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

// Means that start at zero are too small at first, by this much.
double adam_correction(double beta, const OptimizerMemory::Entry& entry) {
  return 1 - std::pow(beta, entry.steps + 1);
}

}  // namespace

bool are_valid_betas(const std::vector<double>& betas) {
  return betas.size() == 2 &&
         std::all_of(betas.begin(), betas.end(), [](double beta) { return beta >= 0 && beta < 1; });
}

void AdamFormula::update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
                         double lr) const {
  at::Tensor& mean = entry.slots[0];
  at::Tensor& square = entry.slots[1];
  if (!mean.defined()) mean = at::zeros_like(parameter);
  if (!square.defined()) square = at::zeros_like(parameter);
  at::Tensor gradient = parameter.grad();
  if (is_decoupled) parameter.mul_(1 - lr * weight_decay);
  if (!is_decoupled && weight_decay != 0) gradient = gradient.add(parameter, weight_decay);
  mean.mul_(beta1).add_(gradient, 1 - beta1);
  square.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
  const double root = std::sqrt(adam_correction(beta2, entry));
  const at::Tensor divisor = square.sqrt().div_(root).add_(eps);
  parameter.addcdiv_(mean, divisor, -lr / adam_correction(beta1, entry));
}

UpdateRule AdamFormula::rule(const OptimizerMemory::Entry& entry, double lr) const {
  UpdateRule rule;
  rule.formula = UpdateFormula::kAdam;
  rule.lr = static_cast<float>(lr / adam_correction(beta1, entry));
  if (is_decoupled) rule.shrink = static_cast<float>(1 - lr * weight_decay);
  if (!is_decoupled) rule.weight_decay = static_cast<float>(weight_decay);
  rule.keep = static_cast<float>(beta1);
  rule.take = static_cast<float>(1 - beta1);
  rule.square_keep = static_cast<float>(beta2);
  rule.square_take = static_cast<float>(1 - beta2);
  rule.root_factor = static_cast<float>(1 / std::sqrt(adam_correction(beta2, entry)));
  rule.eps = static_cast<float>(eps);
  return rule;
}

}  // namespace hearth
