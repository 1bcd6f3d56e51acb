// Khosla et al., Supervised Contrastive Learning: each sample must find those of its class among
// all others of the batch. The mean over them lies outside of the logarithm.
#include "hearth/network/ops/losses/sup_con.h"

#include <ATen/ops/mm.h>

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/network/losses/point_pairs.h"

namespace hearth::network_ops {
namespace {

struct SupConLoss {
  using Options = SupConOptions;
  static bool hides_by_itself(const Options&) { return true; }
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    check_points(inputs[0]);
    check_class_numbers(inputs[1]);
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor points = unit_points(inputs[0]);
    const ClassPairs pairs = class_pairs(inputs[1], inputs.mask);
    const at::Tensor scores = at::mm(points, points.t()).div(options.temperature);
    // Finite, so that a sample without any other has slopes too.
    constexpr double kNever = -1e30;
    const at::Tensor others = pairs.same.logical_or(pairs.different);
    const at::Tensor all = scores.masked_fill(others.logical_not(), kNever).logsumexp(1, true);
    const at::Tensor fellows = pairs.same.sum(1);
    const at::Tensor sums = all.sub(scores).masked_fill(pairs.same.logical_not(), 0).sum(1);
    return {sums.div(fellows.clamp_min(1)), fellows.gt(0)};
  }
};

}  // namespace

const Schema<SupConOptions>& SupConOptions::schema() {
  using O = SupConOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in", "Keys of the points and of the class numbers.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::temperature, "temperature",
                 "By which cosines are divided: low ones make the most alike matter.", above(0))
          .check("in must name two keys: the points and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> sup_con(SupConOptions options) { return choose<NetworkOp>("sup_con", options); }

void register_sup_con(Registry<NetworkOp>& ops) {
  ops.add<LossOp<SupConLoss>>("sup_con",
                              "Samples of a class alike, others not; with the order `pk`, which "
                              "has several of each class.");
}

}  // namespace hearth::network_ops
