// Milletari et al., V-Net: one minus twice the shared part of predicted and true regions by the sum
// of both, the mean over the regions of each sample.
#include "hearth/network/ops/losses/dice_loss.h"

#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/regions.h"

namespace hearth::network_ops {
namespace {

struct DiceLoss {
  using Options = DiceLossOptions;
  static bool hides_by_itself(const Options&) { return true; }
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    return check_regions(options.form, inputs[0], inputs[1]);
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const RegionSums sums = region_sums(options.form, inputs);
    const at::Tensor both = sums.predicted.add(sums.truth).add(options.smooth);
    return missing_share(sums, sums.shared.mul(2).add(options.smooth).div(both),
                         options.skip_first);
  }
};

}  // namespace

const Schema<DiceLossOptions>& DiceLossOptions::schema() {
  using O = DiceLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of a class number, or a share of each class, for each "
                 "place, or "
                 "of the answers.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::form, "form",
                 "`classes`: a score for each class, and class numbers; `binary`: a score for each "
                 "answer of yes or no, and the answers.",
                 one_of({"classes", "binary"}))
          .field(
              &O::smooth, "smooth",
              "Added above and below, so that regions which are empty on both sides cost nothing.",
              above(0))
          .field(&O::skip_first, "skip_first",
                 "Leaves the first region out, which is often the background.")
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> dice_loss(DiceLossOptions options) {
  return choose<NetworkOp>("dice_loss", options);
}

void register_dice_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<DiceLoss>>(
      "dice_loss",
      "The loss of a segmentation: how much of the regions predicted and true ones do not share.");
}

}  // namespace hearth::network_ops
