// Wen et al., A Discriminative Feature Learning Approach for Deep Face Recognition: points of a
// class near its center, a parameter of the op's own.
#include "hearth/network/ops/center_loss.h"

#include "hearth/network/losses/class_points_loss.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct CenterLoss {
  using Options = CenterLossOptions;
  static constexpr const char* kParameter = "centers";
  static constexpr double kDeviation = 1;
  static LossValues losses(const Options&, const LossInputs& inputs) {
    if (inputs[1].is_floating_point())
      return {weighed_by_shares(squared_distances(inputs[0], inputs[2]).mul(0.5), inputs[1])};
    const at::Tensor counts = counted_labels(inputs[1]);
    const at::Tensor known = inputs[1].masked_fill(counts.logical_not(), 0);
    const at::Tensor own = inputs[2].index_select(0, known);
    const at::Tensor losses = inputs[0].sub(own).square().sum(1).mul(0.5);
    return {losses.masked_fill(counts.logical_not(), 0), counts};
  }
};

}  // namespace

const Schema<CenterLossOptions>& CenterLossOptions::schema() {
  using O = CenterLossOptions;
  static const auto fields = weighed(
      class_points_fields<O>("centers", "Key of the loss: the mean of half the squared distances.")
          .field(&O::optimizer, "optimizer", "What moves the centers."));
  return fields;
}

Choice<NetworkOp> center_loss(CenterLossOptions options) {
  return choose<NetworkOp>("center_loss", options);
}

void register_center_loss(Registry<NetworkOp>& ops) {
  ops.add<ClassPointsLossOp<CenterLoss>>(
      "center_loss", "Points of a class near its center, which an update moves along.");
}

}  // namespace hearth::network_ops
