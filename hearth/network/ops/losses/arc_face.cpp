// Deng et al., ArcFace: the angle between a point and the direction of its class counts as if it
// were larger by a margin. Where that would pass half a turn, the cosine goes on falling in a line.
#include "hearth/network/ops/losses/arc_face.h"

#include <ATen/ops/mm.h>
#include <ATen/ops/where.h>

#include <cmath>

#include "hearth/network/losses/class_points_loss.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/directions.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct ArcFaceLoss {
  using Options = ArcFaceOptions;
  static constexpr const char* kParameter = "directions";
  static constexpr double kDeviation = 0;
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    // At the poles the sine has no slope.
    constexpr double kLeast = 1e-6;
    const at::Tensor cosine = at::mm(unit_points(inputs[0]), unit_points(inputs[2]).t());
    const at::Tensor sine = cosine.square().neg().add(1).clamp_min(kLeast).sqrt();
    const double turn = std::sin(options.margin);
    const at::Tensor turned = cosine.mul(std::cos(options.margin)).sub(sine, turn);
    const at::Tensor straight = cosine.sub(options.margin * turn);
    const at::Tensor with_margin =
        at::where(cosine.gt(-std::cos(options.margin)), turned, straight);
    return direction_loss(cosine, with_margin, inputs[1], options.scale);
  }
};

}  // namespace

const Schema<ArcFaceOptions>& ArcFaceOptions::schema() {
  using O = ArcFaceOptions;
  static const auto fields =
      weighed(class_points_fields<O>("directions")
                  .field(&O::margin, "margin", "The angle that classes shall be apart, in radians.",
                         at_least(0), at_most(1.5))
                  .field(&O::scale, "scale", "By which cosines become scores.", above(0))
                  .field(&O::optimizer, "optimizer", "What moves the directions."));
  return fields;
}

Choice<NetworkOp> arc_face(ArcFaceOptions options) {
  return choose<NetworkOp>("arc_face", options);
}

void register_arc_face(Registry<NetworkOp>& ops) {
  ops.add<ClassPointsLossOp<ArcFaceLoss>>(
      "arc_face", "The loss of a classifier whose classes are directions, an angle apart.");
}

}  // namespace hearth::network_ops
