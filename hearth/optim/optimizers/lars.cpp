// LARS (You and others, 2017): momentum of steps that are a share of the tensor's own norm.
#include "hearth/optim/optimizers/lars.h"

#include <ATen/ops/zeros_like.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/trusted.h"
#include "hearth/optim/optimizer.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/trust.h"

namespace hearth::optimizers {
namespace {

class Lars : public Optimizer {
 public:
  using Options = LarsOptions;
  using TimedOptions = Timed<LarsOptions>;
  explicit Lars(TimedOptions options)
      : Optimizer(options, {"momentum_buffer"}), options_(std::move(options)) {}

 private:
  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry&,
                                               const ParameterStep& step) const override {
    const LarsOptions& now = options_.at(step.moment);
    return update_rule<formulas::Lars>(
        {.lr = step.lr,
         .weight_decay = now.weight_decay,
         .momentum = now.momentum,
         .trust = now.trust,
         .eps = now.eps,
         .adapts = now.adapt_vectors || !step.is_vector ? 1.0 : 0.0});
  }

  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    const LarsOptions& now = options_.at(step.moment);
    at::Tensor& momentum = entry.slots[0];
    if (!momentum.defined()) momentum = at::zeros_like(parameter.detach());
    at::Tensor direction = parameter.grad();
    const at::Tensor norm = norm_of(parameter);
    const at::Tensor divisor = norm_of(direction).add_(norm, now.weight_decay).add_(now.eps);
    if (now.weight_decay != 0) direction = direction.add(parameter, now.weight_decay);
    momentum.mul_(now.momentum);
    if (now.adapt_vectors || !step.is_vector)
      momentum.add_(direction.mul(trust(norm.mul(now.trust), divisor).mul_(step.lr)));
    else
      momentum.add_(direction, step.lr);
    parameter.sub_(momentum);
  }

  TimedOptions options_;
};

}  // namespace

const Schema<LarsOptions>& LarsOptions::schema() {
  using O = LarsOptions;
  static const auto fields =
      lr_schema<O>("Learning rate: a step is this times `trust` times the tensor's norm.")
          .field(&O::momentum, "momentum", "Share of the last step that is kept.", at_least(0),
                 below(1))
          .field(&O::weight_decay, "weight_decay", kCoupledDecayHelp, at_least(0))
          .field(&O::trust, "trust", "Share of a tensor's norm that a step may be.", above(0))
          .field(&O::eps, "eps", kEpsHelp, at_least(0))
          .field(&O::adapt_vectors, "adapt_vectors", kAdaptVectorsHelp);
  return fields;
}

Choice<Optimizer> lars(LarsOptions options) { return choose<Optimizer>("lars", options); }

void register_lars(Registry<Optimizer>& optimizers) {
  optimizers.add<Lars>(
      "lars",
      "Momentum whose step of each tensor is a share of that tensor's norm; for large batches.");
}

}  // namespace hearth::optimizers
