// Stochastic gradient descent, with PyTorch's formulas.
#include "hearth/optim/optimizers/sgd.h"

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"

namespace hearth::optimizers {
namespace {

class Sgd : public Optimizer {
 public:
  using Options = SgdOptions;
  using TimedOptions = Timed<SgdOptions>;
  explicit Sgd(TimedOptions options)
      : Optimizer(options, {"momentum_buffer"}), options_(std::move(options)) {}

 private:
  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    const SgdOptions& now = options_.at(step.moment);
    at::Tensor direction = parameter.grad();
    if (now.weight_decay != 0) direction = direction.add(parameter, now.weight_decay);
    if (now.momentum != 0) direction = with_momentum(now, direction, entry.slots[0]);
    parameter.add_(direction, -step.lr);
  }

  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                               const ParameterStep& step) const override {
    const SgdOptions& now = options_.at(step.moment);
    UpdateRule rule;
    rule.lr = static_cast<float>(step.lr);
    rule.weight_decay = static_cast<float>(now.weight_decay);
    if (now.momentum == 0) return rule;
    rule.formula = now.nesterov ? UpdateFormula::kNesterov : UpdateFormula::kMomentum;
    rule.keep = static_cast<float>(now.momentum);
    if (entry.slots[0].defined()) rule.take = static_cast<float>(1 - now.dampening);
    return rule;
  }

  // The first momentum is the gradient itself, without dampening.
  [[nodiscard]] static at::Tensor with_momentum(const SgdOptions& now, const at::Tensor& direction,
                                                at::Tensor& momentum) {
    if (momentum.defined()) {
      momentum.mul_(now.momentum).add_(direction, 1 - now.dampening);
    } else {
      momentum = direction.detach().clone();
    }
    return now.nesterov ? direction.add(momentum, now.momentum) : momentum;
  }

  TimedOptions options_;
};

}  // namespace

const Schema<SgdOptions>& SgdOptions::schema() {
  using O = SgdOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::lr, "lr", "Learning rate.", at_least(0))
          .field(&O::momentum, "momentum", "Share of the last direction that is kept.", at_least(0),
                 below(1))
          .field(&O::dampening, "dampening", "Share of the gradient kept out of the momentum.",
                 at_least(0), at_most(1))
          .field(&O::nesterov, "nesterov", "Look ahead along the momentum.")
          .field(&O::weight_decay, "weight_decay", "Pull towards zero, added to the gradient.",
                 at_least(0))
          .check("nesterov needs a momentum above 0 and a dampening of 0.", [](const O& options) {
            return !options.nesterov || (options.momentum > 0 && options.dampening == 0);
          });
  return fields;
}

Choice<Optimizer> sgd(SgdOptions options) { return choose<Optimizer>("sgd", options); }

void register_sgd(Registry<Optimizer>& optimizers) {
  optimizers.add<Sgd>("sgd", "Stochastic gradient descent, with momentum when asked for.");
}

}  // namespace hearth::optimizers
