// Lin et al., Focal Loss for Dense Object Detection: what is known already counts little.
#include "hearth/network/ops/losses/focal_loss.h"

#include <ATen/ops/log_softmax.h>

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/focal.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct FocalLoss {
  using Options = FocalLossOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    if (options.form == "binary") return {check_answers(inputs[0], inputs[1])};
    const std::vector<int64_t> shape = check_classes(inputs[0], inputs[1]);
    check_class_count("alpha", options.alpha.size(), inputs[0]);
    return {shape};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    return options.form == "binary" ? of_answers(options, inputs) : of_classes(options, inputs);
  }

 private:
  static LossValues of_answers(const Options& options, const LossInputs& inputs) {
    const std::optional<double> alpha =
        options.alpha.empty() ? std::nullopt : std::optional(options.alpha[0]);
    return {focal_losses(inputs[0], numbers_like(inputs[1], inputs[0]), options.gamma, alpha)};
  }
  static LossValues of_classes(const Options& options, const LossInputs& inputs) {
    const at::Tensor certainty = at::log_softmax(inputs[0], 1);
    if (inputs[1].is_floating_point()) return of_shares(options, certainty, inputs[1]);
    const at::Tensor known = of_true_class(certainty, inputs[1]);
    at::Tensor losses = known.neg().mul(focal_factor(known.expm1().neg(), options.gamma));
    if (!options.alpha.empty())
      losses = losses.mul(of_true_class(
          numbers_for(options.alpha, certainty, true).expand_as(certainty), inputs[1]));
    const at::Tensor counts = counted_labels(inputs[1]);
    return {losses.masked_fill(counts.logical_not(), 0), counts};
  }
  static LossValues of_shares(const Options& options, const at::Tensor& certainty,
                              const at::Tensor& shares) {
    at::Tensor losses = certainty.neg().mul(focal_factor(certainty.expm1().neg(), options.gamma));
    if (!options.alpha.empty()) losses = losses.mul(numbers_for(options.alpha, certainty, true));
    return {weighed_by_shares(losses, shares)};
  }
};

}  // namespace

const Schema<FocalLossOptions>& FocalLossOptions::schema() {
  using O = FocalLossOptions;
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
          .field(&O::gamma, "gamma", "How little: the power of what is missing to certainty.",
                 at_least(0))
          .field(&O::alpha, "alpha",
                 "How much each class counts; for `binary` one number, the share of yes. Left out: "
                 "all the same.",
                 at_least(0))
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; })
          .check("alpha must be one number from 0 to 1 for form: binary.", [](const O& options) {
            return options.form != "binary" || options.alpha.empty() ||
                   (options.alpha.size() == 1 && options.alpha[0] <= 1);
          }));
  return fields;
}

Choice<NetworkOp> focal_loss(FocalLossOptions options) {
  return choose<NetworkOp>("focal_loss", options);
}

void register_focal_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<FocalLoss>>(
      "focal_loss", "The loss of a classifier in which what it knows already counts little.");
}

}  // namespace hearth::network_ops
