// Wang et al., CosFace: the cosine between a point and the direction of its class counts less by a
// margin.
#include "hearth/network/ops/losses/cos_face.h"

#include <ATen/ops/mm.h>

#include "hearth/network/losses/class_points_loss.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/directions.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct CosFaceLoss {
  using Options = CosFaceOptions;
  static constexpr const char* kParameter = "directions";
  static constexpr double kDeviation = 0;
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor cosine = at::mm(unit_points(inputs[0]), unit_points(inputs[2]).t());
    return direction_loss(cosine, cosine.sub(options.margin), inputs[1], options.scale);
  }
};

}  // namespace

const Schema<CosFaceOptions>& CosFaceOptions::schema() {
  using O = CosFaceOptions;
  static const auto fields = weighed(
      class_points_fields<O>("directions")
          .field(&O::margin, "margin", "How much higher the cosine of the own class shall be.",
                 at_least(0), at_most(2))
          .field(&O::scale, "scale", "By which cosines become scores.", above(0))
          .field(&O::optimizer, "optimizer", "What moves the directions."));
  return fields;
}

Choice<NetworkOp> cos_face(CosFaceOptions options) {
  return choose<NetworkOp>("cos_face", options);
}

void register_cos_face(Registry<NetworkOp>& ops) {
  ops.add<ClassPointsLossOp<CosFaceLoss>>(
      "cos_face",
      "The loss of a classifier whose classes are directions, their cosines a margin apart.");
}

}  // namespace hearth::network_ops
