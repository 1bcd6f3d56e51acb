// Squares of small errors, distances of large ones: as PyTorch has them, HuberLoss and
// SmoothL1Loss.
#include "hearth/network/ops/losses/huber_loss.h"

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct HuberLoss {
  using Options = HuberLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    return {check_numbers(inputs[0], inputs[1])};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor error = inputs[0].sub(numbers_like(inputs[1], inputs[0])).abs();
    const at::Tensor bounded = error.clamp_max(options.delta);
    // Below delta both factors are the error: half its square.
    const at::Tensor losses = bounded.mul(error.sub(bounded.mul(0.5)));
    return {options.form == "huber" ? losses : losses.div(options.delta)};
  }
};

}  // namespace

const Schema<HuberLossOptions>& HuberLossOptions::schema() {
  using O = HuberLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in", "Keys of the predicted numbers and of the true ones.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::form, "form",
                 "`huber`, whose slope ends at delta, or `smooth_l1`, the same divided by delta, "
                 "whose slope ends at 1.",
                 one_of({"huber", "smooth_l1"}))
          .field(&O::delta, "delta",
                 "The error at which the square goes over into a line; smooth L1 calls it beta.",
                 above(0))
          .check("in must name two keys: the predicted numbers and the true ones.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> huber_loss(HuberLossOptions options) {
  return choose<NetworkOp>("huber_loss", options);
}

void register_huber_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<HuberLoss>>(
      "huber_loss", "The loss of a regression: squares of small errors, distances of large ones.");
}

}  // namespace hearth::network_ops
