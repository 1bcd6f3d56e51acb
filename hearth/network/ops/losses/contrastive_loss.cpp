// Hadsell, Chopra and LeCun, Dimensionality Reduction by Learning an Invariant Mapping: half the
// square of the distance of what belongs together, half the square of what is missing to the margin
// for all else.
#include "hearth/network/ops/losses/contrastive_loss.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/where.h>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct ContrastiveLoss {
  using Options = ContrastiveLossOptions;
  static bool hides_by_itself(const Options& options) { return options.in.size() == 2; }
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    if (inputs.size() == 3) {
      check_point_pairs(inputs);
      return {};
    }
    check_points(inputs[0]);
    check_class_numbers(inputs[1]);
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    return options.in.size() == 3 ? of_given_pairs(options, inputs) : of_all_pairs(options, inputs);
  }

 private:
  static at::Tensor near(const at::Tensor& squares) { return squares.mul(0.5); }
  static at::Tensor far(const at::Tensor& squares, double margin) {
    return at::relu(safe_root(squares).neg().add(margin)).square().mul(0.5);
  }
  static LossValues of_given_pairs(const Options& options, const LossInputs& inputs) {
    const at::Tensor squares = inputs[0].sub(inputs[1]).square().sum(1);
    const at::Tensor together = inputs[2].reshape(squares.sizes()).gt(0);
    return {at::where(together, near(squares), far(squares, options.margin))};
  }
  // Every pair of the batch, at each of its two samples.
  static LossValues of_all_pairs(const Options& options, const LossInputs& inputs) {
    const at::Tensor squares = squared_distances(inputs[0], inputs[0]);
    const ClassPairs pairs = class_pairs(inputs[1], inputs.mask);
    const at::Tensor losses =
        near(squares)
            .masked_fill(pairs.same.logical_not(), 0)
            .add(far(squares, options.margin).masked_fill(pairs.different.logical_not(), 0));
    return {losses.sum(1), pairs.same.logical_or(pairs.different).sum(1)};
  }
};

}  // namespace

const Schema<ContrastiveLossOptions>& ContrastiveLossOptions::schema() {
  using O = ContrastiveLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the points and of the class numbers, for all pairs of a batch; or of "
                 "points, of others, and of what says which of them belong together.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::margin, "margin", "The distance from which on others cost nothing.", above(0))
          .check(
              "in must name two keys, points and class numbers, or three: two keys of points and "
              "one that says which belong together.",
              [](const O& options) { return options.in.size() == 2 || options.in.size() == 3; }));
  return fields;
}

Choice<NetworkOp> contrastive_loss(ContrastiveLossOptions options) {
  return choose<NetworkOp>("contrastive_loss", options);
}

void register_contrastive_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<ContrastiveLoss>>(
      "contrastive_loss", "Points that belong together near each other, others apart by a margin.");
}

}  // namespace hearth::network_ops
