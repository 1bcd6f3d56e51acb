// What adam and adamw have in common: the formula, and the options they share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

// Running means of the gradient (first slot) and of its square (second slot), as PyTorch's.
struct AdamFormula {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool is_decoupled = false;  // weight decay apart from the gradient, as in AdamW

  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry, double lr) const;
  [[nodiscard]] UpdateRule rule(const OptimizerMemory::Entry& entry, double lr) const;
};

template <class Given, bool is_decoupled>
class AdamOptimizer : public Optimizer {
 public:
  using Options = Given;
  using TimedOptions = Timed<Given>;
  explicit AdamOptimizer(TimedOptions options)
      : Optimizer(options, {"exp_avg", "exp_avg_sq"}), options_(std::move(options)) {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    formula(step).update(parameter, entry, step.lr);
  }
  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                               const ParameterStep& step) const override {
    return formula(step).rule(entry, step.lr);
  }
  [[nodiscard]] AdamFormula formula(const ParameterStep& step) const {
    const Given& now = options_.at(step.moment);
    return {now.betas[0], now.betas[1], now.eps, now.weight_decay, is_decoupled};
  }

  TimedOptions options_;
};

[[nodiscard]] bool are_valid_betas(const std::vector<double>& betas);

template <class O>
[[nodiscard]] Schema<O> adam_schema(const std::string& weight_decay) {
  return Schema<O>()
      .field(&O::lr, "lr", "Learning rate.", at_least(0))
      .field(&O::betas, "betas",
             "How slowly the running means of the gradient and of its square forget.", at_least(0),
             below(1))
      .field(&O::eps, "eps", "Added to the divisor, against division by zero.", at_least(0))
      .field(&O::weight_decay, "weight_decay", weight_decay, at_least(0))
      .check("betas must be two numbers, each at least 0 and below 1.",
             [](const O& options) { return are_valid_betas(options.betas); });
}

}  // namespace hearth
