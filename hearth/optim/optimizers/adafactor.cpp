// Adafactor (Shazeer and Stern, 2018): the mean square of a matrix is kept as that of its rows and
// of its columns, and a step is as long as a share of the parameter.
#include "hearth/optim/optimizers/adafactor.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer.h"
#include "hearth/optim/optimizer_fields.h"

namespace hearth::optimizers {
namespace {

at::Tensor root_mean_square(const at::Tensor& values) { return values.square().mean().sqrt_(); }

at::Tensor& mixed_slot(at::Tensor& slot, double keep, const at::Tensor& values) {
  if (!slot.defined()) slot = at::zeros(values.sizes(), values.options());
  return slot.mul_(keep).add_(values, 1 - keep);
}

class Adafactor : public Optimizer {
 public:
  using Options = AdafactorOptions;
  using TimedOptions = Timed<AdafactorOptions>;
  explicit Adafactor(TimedOptions options)
      : Optimizer(options,
                  {{"exp_avg_sq_row", true}, {"exp_avg_sq_col", true}, "exp_avg_sq", "exp_avg"}),
        options_(std::move(options)) {}
  [[nodiscard]] bool needs_shapes() const override { return true; }

 private:
  // A matrix has those of rows and columns, a vector one a value.
  [[nodiscard]] int64_t values_in_slot(size_t slot, at::IntArrayRef sizes) const override {
    const int64_t values = c10::multiply_integers(sizes);
    if (slot == 3) return options_.fixed().beta1 > 0 ? values : 0;
    if (sizes.size() < 2) return slot == 2 ? values : 0;
    return slot == 2 ? 0 : values / sizes[sizes.size() - 1 - slot];
  }

  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    const AdafactorOptions& now = options_.at(step.moment);
    const auto count = static_cast<double>(entry.steps + 1);
    at::Tensor direction =
        divided(now, parameter.grad(), entry, 1 - std::pow(count, -now.decay_rate));
    direction.div_(root_mean_square(direction).div_(now.clip_threshold).clamp_min_(1));
    const double lr = now.relative_step ? std::min(step.lr, 1 / std::sqrt(count)) : step.lr;
    at::Tensor decay = parameter.detach().mul(now.weight_decay * lr);
    direction.mul_(lr);
    if (now.scale_parameter) {
      const at::Tensor scale = root_mean_square(parameter.detach()).clamp_min_(now.eps[1]);
      direction.mul_(scale);
      decay.mul_(scale);
    }
    if (now.beta1 > 0) direction = mixed_slot(entry.slots[3], now.beta1, direction);
    if (now.weight_decay != 0) parameter.sub_(decay);
    parameter.sub_(direction);
  }

  // The gradient, divided by the root of its mean square; of a matrix, by what rows and columns
  // say.
  [[nodiscard]] static at::Tensor divided(const AdafactorOptions& now, const at::Tensor& gradient,
                                          OptimizerMemory::Entry& entry, double keep) {
    const at::Tensor square = gradient.square().add_(now.eps[0]);
    if (gradient.dim() < 2) return mixed_slot(entry.slots[2], keep, square).rsqrt().mul_(gradient);
    const at::Tensor rows = mixed_slot(entry.slots[0], keep, square.mean(-1));
    const at::Tensor columns = mixed_slot(entry.slots[1], keep, square.mean(-2));
    const at::Tensor row_factor = rows.div(rows.mean(-1, /*keepdim=*/true)).rsqrt_().unsqueeze(-1);
    return row_factor.mul(columns.unsqueeze(-2).rsqrt()).mul_(gradient);
  }

  TimedOptions options_;
};

}  // namespace

const Schema<AdafactorOptions>& AdafactorOptions::schema() {
  using O = AdafactorOptions;
  static const auto fields =
      lr_schema<O>("Learning rate: the greatest one, with relative_step.")
          .field(&O::eps, "eps",
                 "Added to the squares; and the least size of a parameter, for scale_parameter.",
                 at_least(0))
          .field(&O::clip_threshold, "clip_threshold",
                 "Greatest root mean square of a tensor's direction; larger ones are scaled down.",
                 above(0))
          .field(&O::decay_rate, "decay_rate",
                 "The mean square forgets by the number of the step to the power of minus this.",
                 above(0))
          .field(&O::beta1, "beta1", "How slowly a mean of the steps forgets; 0 for none.",
                 at_least(0), below(1))
          .field(&O::weight_decay, "weight_decay", kDecoupledDecayHelp, at_least(0))
          .field(&O::scale_parameter, "scale_parameter",
                 "Let steps be a share of the parameter's root mean square.")
          .field(&O::relative_step, "relative_step",
                 "Let lr fall by itself: at most 1 / root of the step's number.")
          .check("eps must be two numbers.",
                 [](const O& options) { return options.eps.size() == 2; });
  return fields;
}

Choice<Optimizer> adafactor(AdafactorOptions options) {
  return choose<Optimizer>("adafactor", options);
}

void register_adafactor(Registry<Optimizer>& optimizers) {
  optimizers.add<Adafactor>("adafactor",
                            "Adam with the memory of rows and columns alone; for large models.");
}

}  // namespace hearth::optimizers
