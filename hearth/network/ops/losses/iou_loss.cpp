// One minus the shared part of two boxes or regions by all that they cover. For boxes that are
// apart, Rezatofighi et al. (giou) and Zheng et al. (diou, ciou) add how far.
#include "hearth/network/ops/losses/iou_loss.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/box_overlap.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/regions.h"

namespace hearth::network_ops {
namespace {

struct IouLoss {
  using Options = IouLossOptions;
  static bool hides_by_itself(const Options& options) { return options.of != "boxes"; }
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    if (options.of != "boxes") return check_regions(options.of, inputs[0], inputs[1]);
    for (const KeySpec& key : inputs) {
      check_floats(key);
      if (key.spec.shape.empty() || key.spec.shape.back() != 4)
        throw GraphError("needs boxes of four numbers, float [B, ..., 4], in " + quote(key.key) +
                         ", but it is " + key.spec.text() +
                         ". Use of: classes or of: binary for regions.");
    }
    check_alike(inputs, "Predict a box for each true one.");
    return {{inputs[0].spec.shape.begin(), inputs[0].spec.shape.end() - 1}};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    if (options.of == "boxes") return {box_loss(options.form, inputs[0], inputs[1])};
    const RegionSums sums = region_sums(options.of, inputs);
    const at::Tensor all = sums.predicted.add(sums.truth).sub(sums.shared).add(options.smooth);
    return missing_share(sums, sums.shared.add(options.smooth).div(all), options.skip_first);
  }
};

}  // namespace

const Schema<IouLossOptions>& IouLossOptions::schema() {
  using O = IouLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in", "Keys of what is predicted and of what is true.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(
              &O::of, "of",
              "`boxes`, float [B, ..., 4]: left, top, right, bottom; `classes`, a score for each "
              "class and place beside class numbers or soft labels; `binary`, scores beside "
              "answers.",
              one_of({"boxes", "classes", "binary"}))
          .field(
              &O::form, "form",
              "Of boxes: `iou`; `giou`, less the empty share of the box around both; `diou`, with "
              "the distance of the centers; `ciou`, also with the difference of their shapes.",
              one_of({"iou", "giou", "diou", "ciou"}))
          .field(
              &O::smooth, "smooth",
              "Of regions: added above and below, so that those which are empty on both sides cost "
              "nothing.",
              above(0))
          .field(&O::skip_first, "skip_first",
                 "Of regions: leaves the first out, which is often the background.")
          .check("in must name two keys: the predicted boxes or scores, and the true ones.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> iou_loss(IouLossOptions options) {
  return choose<NetworkOp>("iou_loss", options);
}

void register_iou_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<IouLoss>>(
      "iou_loss",
      "The loss of boxes or regions: how much of them predicted and true ones do not share.");
}

}  // namespace hearth::network_ops
