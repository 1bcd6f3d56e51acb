// Muon (Jordan and others, 2024): the momentum of a matrix, made orthogonal by Newton-Schulz steps,
// so that all its directions move equally far. Vectors move by Adam.
#include "hearth/optim/optimizers/muon.h"

#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/update/formulas/adam.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/ruled_optimizer.h"

namespace hearth::optimizers {
namespace {

// With singular values near 1, between about 0.7 and 1.2; those of a wide matrix.
at::Tensor near_orthogonal(at::Tensor matrix, int64_t iterations) {
  constexpr double kFirst = 3.4445;
  constexpr double kThird = -4.7750;
  constexpr double kFifth = 2.0315;
  for (int64_t i = 0; i < iterations; ++i) {
    const at::Tensor square = at::matmul(matrix, matrix.t());
    const at::Tensor factor = square.mul(kThird).add_(at::matmul(square, square), kFifth);
    matrix = matrix.mul(kFirst).add_(at::matmul(factor, matrix));
  }
  return matrix;
}

at::Tensor orthogonal_direction(const at::Tensor& momentum, int64_t iterations) {
  const at::Tensor matrix = momentum.reshape({momentum.size(0), -1});
  if (matrix.numel() == 0) return momentum;
  const int64_t rows = matrix.size(0);
  const int64_t columns = matrix.size(1);
  const at::Tensor wide = rows > columns ? matrix.t() : matrix;
  // By the greatest value first: squares of huge ones would be infinite.
  const at::Tensor bounded = wide.div(at::maximum(wide, wide.neg()).amax().clamp_min_(1e-30));
  const at::Tensor scaled = bounded.div(bounded.norm().add_(1e-7));
  const at::Tensor found = near_orthogonal(scaled, iterations);
  const double size =
      std::sqrt(std::max(1.0, static_cast<double>(rows) / static_cast<double>(columns)));
  return (rows > columns ? found.t() : found).mul(size).reshape(momentum.sizes());
}

class Muon : public Optimizer {
 public:
  using Options = MuonOptions;
  using TimedOptions = Timed<MuonOptions>;
  explicit Muon(TimedOptions options)
      : Optimizer(options, {"exp_avg", "exp_avg_sq", "momentum_buffer"}),
        options_(std::move(options)),
        iterations_(options_.fixed().iterations) {}
  [[nodiscard]] bool needs_shapes() const override { return true; }

 private:
  [[nodiscard]] int64_t values_in_slot(size_t slot, at::IntArrayRef sizes) const override {
    const bool is_of_matrices = slot == 2;
    return is_of_matrices == (sizes.size() >= 2) ? c10::multiply_integers(sizes) : 0;
  }

  void update(const at::Tensor& parameter, OptimizerMemory::Entry& entry,
              const ParameterStep& step) const override {
    const MuonOptions& now = options_.at(step.moment);
    if (parameter.dim() < 2) return update_vector(now, parameter, entry, step);
    at::Tensor& momentum = entry.slots[2];
    if (!momentum.defined()) momentum = at::zeros_like(parameter.detach());
    const at::Tensor gradient = parameter.grad();
    momentum.mul_(now.momentum).add_(gradient, 1 - now.momentum);
    const at::Tensor ahead =
        now.nesterov ? gradient.mul(1 - now.momentum).add_(momentum, now.momentum) : momentum;
    parameter.mul_(1 - step.lr * now.weight_decay);
    parameter.add_(orthogonal_direction(ahead, count_at(iterations_, step.moment)), -step.lr);
  }

  void update_vector(const MuonOptions& now, const at::Tensor& parameter,
                     OptimizerMemory::Entry& entry, const ParameterStep& step) const {
    const double lr = step.lr * now.vector_lr_factor;
    for (size_t k = 0; k < 2; ++k)
      if (!entry.slots[k].defined()) entry.slots[k] = at::zeros_like(parameter.detach());
    const UpdateRule rule = update_rule<formulas::Adam<false>>(
        {.lr = lr / mean_correction(now.vector_betas[0], entry),
         .weight_decay = 0,
         .shrink = 1 - lr * now.weight_decay,
         .keep = now.vector_betas[0],
         .take = 1 - now.vector_betas[0],
         .square_keep = now.vector_betas[1],
         .square_take = 1 - now.vector_betas[1],
         .root_factor = 1 / std::sqrt(mean_correction(now.vector_betas[1], entry)),
         .eps = now.vector_eps});
    rule.formula->plain(parameter, parameter.grad(), entry.slots, rule.numbers);
  }

  TimedOptions options_;
  ScheduledValue iterations_;
};

}  // namespace

const Schema<MuonOptions>& MuonOptions::schema() {
  using O = MuonOptions;
  static const auto fields =
      lr_schema<O>("Learning rate of matrices; filters of convolutions count as such.")
          .field(&O::momentum, "momentum", "Share of the last direction that is kept.", at_least(0),
                 below(1))
          .field(&O::nesterov, "nesterov", "Look ahead along the momentum.")
          .field(&O::iterations, "iterations",
                 "Newton-Schulz steps that make a direction orthogonal.", at_least(1), at_most(100))
          .field(&O::weight_decay, "weight_decay", kDecoupledDecayHelp, at_least(0))
          .field(&O::vector_lr_factor, "vector_lr_factor",
                 "Learning rate of biases and other vectors, which move by adam, as a share of lr.",
                 at_least(0))
          .field(&O::vector_betas, "vector_betas", "The betas of vectors.", at_least(0), below(1))
          .field(&O::vector_eps, "vector_eps", "The eps of vectors.", at_least(0))
          .check("vector_betas must be two numbers, each at least 0 and below 1.",
                 [](const O& options) { return are_valid_betas(options.vector_betas); });
  return fields;
}

Choice<Optimizer> muon(MuonOptions options) { return choose<Optimizer>("muon", options); }

void register_muon(Registry<Optimizer>& optimizers) {
  optimizers.add<Muon>("muon",
                       "Momentum of matrices, made orthogonal; vectors move by adam. Give "
                       "embeddings and the last layer an optimizer of their own by a group.");
}

}  // namespace hearth::optimizers
