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

class AdamOptimizer : public Optimizer {
 protected:
  template <class Options>
  AdamOptimizer(const Options& options, bool is_decoupled)
      : Optimizer(options.lr, {"exp_avg", "exp_avg_sq"}),
        formula_{options.betas[0], options.betas[1], options.eps, options.weight_decay,
                 is_decoupled} {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              double lr) const override {
    formula_.update(parameter, entry, lr);
  }
  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                               double lr) const override {
    return formula_.rule(entry, lr);
  }

  AdamFormula formula_;
};

[[nodiscard]] bool are_valid_betas(const std::vector<double>& betas);

template <class O>
[[nodiscard]] Schema<O> adam_schema(const std::string& weight_decay) {
  return Schema<O>()
      .field(&O::lr, "lr", "Learning rate.", at_least(0))
      .field(&O::betas, "betas",
             "How slowly the running means of the gradient and of its square forget.")
      .field(&O::eps, "eps", "Added to the divisor, against division by zero.", at_least(0))
      .field(&O::weight_decay, "weight_decay", weight_decay, at_least(0))
      .check("betas must be two numbers, each at least 0 and below 1.",
             [](const O& options) { return are_valid_betas(options.betas); });
}

}  // namespace hearth
