// LAMB (You and others, 2020): Adam's direction, as long as a share of the tensor's own norm.
#include "hearth/optim/optimizers/lamb.h"

#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/trusted.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"
#include "hearth/optim/trust.h"

namespace hearth::optimizers {
namespace {

class Lamb : public Optimizer {
 public:
  using Options = LambOptions;
  using TimedOptions = Timed<LambOptions>;
  explicit Lamb(TimedOptions options)
      : Optimizer(options, {"exp_avg", "exp_avg_sq"}), options_(std::move(options)) {}

 private:
  [[nodiscard]] std::optional<UpdateRule> rule(const OptimizerMemory::Entry& entry,
                                               const ParameterStep& step) const override {
    const LambOptions& now = options_.at(step.moment);
    return update_rule<formulas::Lamb>(
        {.lr = step.lr,
         .weight_decay = now.weight_decay,
         .keep = now.betas[0],
         .take = 1 - now.betas[0],
         .square_keep = now.betas[1],
         .square_take = 1 - now.betas[1],
         .mean_factor = 1 / mean_correction(now.betas[0], entry),
         .root_factor = 1 / std::sqrt(mean_correction(now.betas[1], entry)),
         .eps = now.eps,
         .adapts = now.adapt_vectors || !step.is_vector ? 1.0 : 0.0});
  }

  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    const LambOptions& now = options_.at(step.moment);
    at::Tensor& mean = entry.slots[0];
    at::Tensor& square = entry.slots[1];
    if (!mean.defined()) mean = at::zeros_like(parameter.detach());
    if (!square.defined()) square = at::zeros_like(parameter.detach());
    const at::Tensor gradient = parameter.grad();
    mean.mul_(now.betas[0]).add_(gradient, 1 - now.betas[0]);
    square.mul_(now.betas[1]).addcmul_(gradient, gradient, 1 - now.betas[1]);
    const double root = std::sqrt(mean_correction(now.betas[1], entry));
    const at::Tensor divisor = square.sqrt().div_(root).add_(now.eps);
    at::Tensor direction = mean.div(mean_correction(now.betas[0], entry)).div_(divisor);
    if (now.weight_decay != 0) direction.add_(parameter, now.weight_decay);
    if (now.adapt_vectors || !step.is_vector)
      parameter.sub_(direction.mul_(trust(norm_of(parameter), norm_of(direction)).mul_(step.lr)));
    else
      parameter.sub_(direction, step.lr);
  }

  TimedOptions options_;
};

}  // namespace

const Schema<LambOptions>& LambOptions::schema() {
  using O = LambOptions;
  static const auto fields = adam_schema<O>(kDecoupledDecayHelp)
                                 .field(&O::adapt_vectors, "adapt_vectors", kAdaptVectorsHelp);
  return fields;
}

Choice<Optimizer> lamb(LambOptions options) { return choose<Optimizer>("lamb", options); }

void register_lamb(Registry<Optimizer>& optimizers) {
  optimizers.add<Lamb>(
      "lamb",
      "Adam whose step of each tensor is a share of that tensor's norm; for large batches.");
}

}  // namespace hearth::optimizers
