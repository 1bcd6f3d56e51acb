// Samples of a kind nearer to each other than to others, by a margin: PyTorch's TripletMarginLoss
// for given ones; for those found in the batch, Hermans et al., In Defense of the Triplet Loss, and
// Schroff et al., FaceNet.
#include "hearth/network/ops/triplet_loss.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/where.h>

#include <limits>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

constexpr double kFarthest = std::numeric_limits<float>::max();

// As PyTorch's: a little apart even where they are the same, so that the root has a slope.
at::Tensor distance(const at::Tensor& left, const at::Tensor& right) {
  constexpr double kApart = 1e-6;
  return left.sub(right).add(kApart).square().sum(1).sqrt();
}

// Those of a batch; losses are sums over the triplets that a sample is the first of.
struct Triplets {
  at::Tensor distances;
  ClassPairs pairs;
  double margin;

  [[nodiscard]] LossValues hard() const {
    if (distances.numel() == 0) return {distances.sum(1)};
    const at::Tensor near = distances.masked_fill(pairs.same.logical_not(), 0).amax(1);
    const at::Tensor far = distances.masked_fill(pairs.different.logical_not(), kFarthest).amin(1);
    const at::Tensor counts = pairs.same.any(1).logical_and(pairs.different.any(1));
    return {missing(near, far).masked_fill(counts.logical_not(), 0), counts};
  }
  [[nodiscard]] LossValues all() const {
    const at::Tensor counts = pairs.same.unsqueeze(2).logical_and(pairs.different.unsqueeze(1));
    const at::Tensor losses = missing(distances.unsqueeze(2), distances.unsqueeze(1));
    return {losses.masked_fill(counts.logical_not(), 0).sum({1, 2}), counts.sum({1, 2})};
  }
  // Where no other is farther than the pair, the farthest there is.
  [[nodiscard]] LossValues semi_hard() const {
    if (distances.numel() == 0) return {distances.sum(1)};
    const at::Tensor others = distances.unsqueeze(1);
    const at::Tensor is_farther =
        others.gt(distances.unsqueeze(2)).logical_and(pairs.different.unsqueeze(1));
    const at::Tensor nearest =
        others.expand_as(is_farther).masked_fill(is_farther.logical_not(), kFarthest).amin(2);
    const at::Tensor farthest =
        distances.masked_fill(pairs.different.logical_not(), 0).amax(1, true);
    const at::Tensor far = at::where(is_farther.any(2), nearest, farthest.expand_as(nearest));
    const at::Tensor counts = pairs.same.logical_and(pairs.different.any(1, true));
    return {missing(distances, far).masked_fill(counts.logical_not(), 0).sum(1), counts.sum(1)};
  }

 private:
  [[nodiscard]] at::Tensor missing(const at::Tensor& near, const at::Tensor& far) const {
    return at::relu(near.sub(far).add(margin));
  }
};

struct TripletLoss {
  using Options = TripletLossOptions;
  static bool hides_by_itself(const Options& options) { return options.in.size() == 2; }
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    check_points(inputs[0]);
    if (inputs.size() == 2) {
      check_class_numbers(inputs[1]);
      return {};
    }
    for (const KeySpec& key : inputs) check_points(key);
    check_alike(inputs, "Let one model make all three.");
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    if (options.in.size() == 3) return of_given(options, inputs);
    const Triplets triplets{safe_root(squared_distances(inputs[0], inputs[0])),
                            class_pairs(inputs[1], inputs.mask), options.margin};
    if (options.mining == "hard") return triplets.hard();
    return options.mining == "all" ? triplets.all() : triplets.semi_hard();
  }

 private:
  static LossValues of_given(const Options& options, const LossInputs& inputs) {
    const at::Tensor near = distance(inputs[0], inputs[1]);
    const at::Tensor far = distance(inputs[0], inputs[2]);
    return {at::relu(near.sub(far).add(options.margin))};
  }
};

}  // namespace

const Schema<TripletLossOptions>& TripletLossOptions::schema() {
  using O = TripletLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the points: a sample's, one of its kind, one of another kind; or of "
                 "points and class numbers, of which the triplets are made.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::margin, "margin",
                 "How much farther the other kind must be before nothing is left to learn.",
                 above(0))
          .field(
              &O::mining, "mining",
              "Which of a batch's triplets count, with class numbers: `hard`, for each sample the "
              "farthest of its kind and the nearest of another; `semi_hard`, for each pair of a "
              "kind the nearest other that is farther than they are from each other; `all`.",
              one_of({"hard", "semi_hard", "all"}))
          .check(
              "in must name three keys of points, or two: points and class numbers.",
              [](const O& options) { return options.in.size() == 2 || options.in.size() == 3; }));
  return fields;
}

Choice<NetworkOp> triplet_loss(TripletLossOptions options) {
  return choose<NetworkOp>("triplet_loss", options);
}

void register_triplet_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<TripletLoss>>(
      "triplet_loss", "Points of a kind nearer to each other than to another kind, by a margin.");
}

}  // namespace hearth::network_ops
