// The loss of a regression: the mean of the squares of predicted minus true numbers.
#include "hearth/network/ops/mse_loss.h"

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct MseLoss {
  using Options = MseLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    return {check_numbers(inputs[0], inputs[1])};
  }
  static LossValues losses(const Options&, const LossInputs& inputs) {
    const at::Tensor difference = inputs[0].sub(numbers_like(inputs[1], inputs[0]));
    return {difference.mul(difference)};
  }
};

}  // namespace

const Schema<MseLossOptions>& MseLossOptions::schema() {
  using O = MseLossOptions;
  static const auto fields =
      weighed(Schema<O>()
                  .field(&O::in, "in", "Keys of the predicted numbers and of the true ones.")
                  .field(&O::out, "out", "Key of the loss.", not_empty())
                  .check("in must name two keys: the predicted numbers and the true ones.",
                         [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> mse_loss(MseLossOptions options) {
  return choose<NetworkOp>("mse_loss", options);
}

void register_mse_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<MseLoss>>("mse_loss",
                           "The loss of a regression: the mean of the squares of what is missed.");
}

}  // namespace hearth::network_ops
