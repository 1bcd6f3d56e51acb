// The loss of yes or no, from scores: -log sigmoid(score) for yes, -log sigmoid(-score) for no.
#include "hearth/network/ops/losses/binary_cross_entropy.h"

#include <ATen/ops/softplus.h>

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct BinaryCrossEntropyLoss {
  using Options = BinaryCrossEntropyOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    const std::vector<int64_t> shape = check_answers(inputs[0], inputs[1]);
    if (options.pos_weight.size() > 1)
      check_class_count("pos_weight", options.pos_weight.size(), inputs[0]);
    return {shape};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor& scores = inputs[0];
    at::Tensor yes = numbers_like(inputs[1], scores);
    const double smoothing = options.label_smoothing;
    if (smoothing > 0) yes = yes.mul(1 - smoothing).add(smoothing / 2);
    at::Tensor missed = at::softplus(scores.neg()).mul(yes);
    if (!options.pos_weight.empty())
      missed = missed.mul(numbers_for(options.pos_weight, scores, options.pos_weight.size() > 1));
    return {missed.add(at::softplus(scores).mul(yes.neg().add(1)))};
  }
};

}  // namespace

const Schema<BinaryCrossEntropyOptions>& BinaryCrossEntropyOptions::schema() {
  using O = BinaryCrossEntropyOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of the answers: 1 is yes, 0 is no, what lies between is a "
                 "share.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(
              &O::pos_weight, "pos_weight",
              "How much a yes counts beside a no: one number for all, or one for each class; left "
              "out: the same.",
              above(0))
          .field(&O::label_smoothing, "label_smoothing",
                 "Share of certainty spread over both answers.", at_least(0), at_most(1))
          .check("in must name two keys: the scores and the answers.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> binary_cross_entropy(BinaryCrossEntropyOptions options) {
  return choose<NetworkOp>("binary_cross_entropy", options);
}

void register_binary_cross_entropy(Registry<NetworkOp>& ops) {
  ops.add<LossOp<BinaryCrossEntropyLoss>>(
      "binary_cross_entropy",
      "The loss of answers of yes or no, from scores: of two classes, or of many labels at once.");
}

}  // namespace hearth::network_ops
