// Directions of points: near each other for pairs that belong together, apart for others. PyTorch's
// CosineEmbeddingLoss.
#include "hearth/network/ops/losses/cosine_loss.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/where.h>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct CosineLoss {
  using Options = CosineLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    check_point_pairs(inputs);
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor cosine = unit_points(inputs[0]).mul(unit_points(inputs[1])).sum(1);
    const at::Tensor apart = cosine.neg().add(1);
    if (options.in.size() == 2) return {apart};
    const at::Tensor together = inputs[2].reshape(apart.sizes()).gt(0);
    return {at::where(together, apart, at::relu(cosine.sub(options.margin)))};
  }
};

}  // namespace

const Schema<CosineLossOptions>& CosineLossOptions::schema() {
  using O = CosineLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the points, and perhaps of what says which belong together: 1 for yes, 0 "
                 "or -1 for no.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::margin, "margin",
                 "The cosine below which pairs that do not belong together cost nothing.",
                 at_least(-1), at_most(1))
          .check(
              "in must name two keys of points, or three: a third that says which belong together.",
              [](const O& options) { return options.in.size() == 2 || options.in.size() == 3; }));
  return fields;
}

Choice<NetworkOp> cosine_loss(CosineLossOptions options) {
  return choose<NetworkOp>("cosine_loss", options);
}

void register_cosine_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<CosineLoss>>(
      "cosine_loss",
      "Directions of points: alike where they belong together, apart where they do not.");
}

}  // namespace hearth::network_ops
