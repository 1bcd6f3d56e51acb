// Adam with decoupled weight decay, with PyTorch's formulas.
#include "hearth/optim/optimizers/adamw.h"

#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"

namespace hearth {
namespace {

class Adamw : public Optimizer {
 public:
  using Options = AdamwOptions;
  explicit Adamw(AdamwOptions options)
      : Optimizer(options.lr, {"exp_avg", "exp_avg_sq"}), options_(std::move(options)) {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              double lr) const override {
    const double beta1 = options_.betas[0];
    const double beta2 = options_.betas[1];
    at::Tensor& mean = entry.slots[0];
    at::Tensor& square = entry.slots[1];
    if (!mean.defined()) mean = at::zeros_like(parameter);
    if (!square.defined()) square = at::zeros_like(parameter);
    entry.steps += 1;
    const at::Tensor& gradient = parameter.grad();
    parameter.mul_(1 - lr * options_.weight_decay);
    mean.mul_(beta1).add_(gradient, 1 - beta1);
    square.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
    const double correction1 = 1 - std::pow(beta1, entry.steps);
    const double correction2 = 1 - std::pow(beta2, entry.steps);
    const at::Tensor scale = square.sqrt().div_(std::sqrt(correction2)).add_(options_.eps);
    parameter.addcdiv_(mean, scale, -lr / correction1);
  }

  AdamwOptions options_;
};

bool has_valid_betas(const AdamwOptions& options) {
  return options.betas.size() == 2 &&
         std::all_of(options.betas.begin(), options.betas.end(),
                     [](double beta) { return beta >= 0 && beta < 1; });
}

}  // namespace

const Schema<AdamwOptions>& AdamwOptions::schema() {
  using O = AdamwOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::lr, "lr", "Learning rate.", at_least(0))
          .field(&O::betas, "betas",
                 "How slowly the running means of the gradient and of its square forget.")
          .field(&O::eps, "eps", "Added to the divisor, against division by zero.", at_least(0))
          .field(&O::weight_decay, "weight_decay", "Pull towards zero, scaled by lr.", at_least(0))
          .check("betas must be two numbers, each at least 0 and below 1.", has_valid_betas);
  return fields;
}

Choice<Optimizer> adamw(AdamwOptions options) { return choose<Optimizer>("adamw", options); }

void register_adamw(Registry<Optimizer>& optimizers) {
  optimizers.add<Adamw>("adamw", "Adam with decoupled weight decay.");
}

}  // namespace hearth
