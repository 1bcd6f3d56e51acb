// The loss of a regression: the mean of the distances of predicted from true numbers.
#include "hearth/network/ops/losses/mae_loss.h"

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct MaeLoss {
  using Options = MaeLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    return {check_numbers(inputs[0], inputs[1])};
  }
  static LossValues losses(const Options&, const LossInputs& inputs) {
    return {inputs[0].sub(numbers_like(inputs[1], inputs[0])).abs()};
  }
};

}  // namespace

const Schema<MaeLossOptions>& MaeLossOptions::schema() {
  using O = MaeLossOptions;
  static const auto fields =
      weighed(Schema<O>()
                  .field(&O::in, "in", "Keys of the predicted numbers and of the true ones.")
                  .field(&O::out, "out", "Key of the loss.", not_empty())
                  .check("in must name two keys: the predicted numbers and the true ones.",
                         [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> mae_loss(MaeLossOptions options) {
  return choose<NetworkOp>("mae_loss", options);
}

void register_mae_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<MaeLoss>>(
      "mae_loss", "The loss of a regression that forgives outliers: the mean of what is missed.");
}

}  // namespace hearth::network_ops
