// What is right must score higher than what is wrong by a margin: as support vector machines have
// it.
#include "hearth/network/ops/losses/hinge_loss.h"

#include <ATen/ops/relu.h>

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct HingeLoss {
  using Options = HingeLossOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    if (options.form == "binary") return {check_answers(inputs[0], inputs[1])};
    return {check_classes(inputs[0], inputs[1])};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor& scores = inputs[0];
    const auto missing = [&](const at::Tensor& lead) {
      const at::Tensor found = at::relu(lead.neg().add(options.margin));
      return options.squared ? found.square() : found;
    };
    if (options.form == "binary")
      return {missing(scores.mul(numbers_like(inputs[1], scores).mul(2).sub(1)))};
    if (inputs[1].is_floating_point()) {
      // Each class as the true one, beside all others.
      const at::Tensor pairs = missing(scores.unsqueeze(2).sub(scores.unsqueeze(1)));
      const at::Tensor wrong = pairs.masked_fill(is_one_class(pairs), 0);
      return {weighed_by_shares(wrong.mean(2), inputs[1])};
    }
    const at::Tensor lead = of_true_class(scores, inputs[1]).unsqueeze(1).sub(scores);
    const at::Tensor wrong = missing(lead).masked_fill(is_true_class(inputs[1], scores), 0);
    const at::Tensor counts = counted_labels(inputs[1]);
    return {wrong.mean(1).masked_fill(counts.logical_not(), 0), counts};
  }
};

}  // namespace

const Schema<HingeLossOptions>& HingeLossOptions::schema() {
  using O = HingeLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of the class numbers, of soft labels, by whose shares the "
                 "losses "
                 "of all classes are weighed, or of the answers.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::form, "form",
                 "`classes`: a score for each class, and class numbers; `binary`: a score for each "
                 "answer of yes or no, and the answers.",
                 one_of({"classes", "binary"}))
          .field(&O::margin, "margin", "How much higher.", above(0))
          .field(&O::squared, "squared",
                 "Whether what is missing to the margin counts by its square.")
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> hinge_loss(HingeLossOptions options) {
  return choose<NetworkOp>("hinge_loss", options);
}

void register_hinge_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<HingeLoss>>("hinge_loss",
                             "The loss of a classifier whose right scores must lead by a margin.");
}

}  // namespace hearth::network_ops
