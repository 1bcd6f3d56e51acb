// The loss of a classifier: the mean over the batch of -log softmax(logits)[label].
#include "hearth/network/ops/cross_entropy.h"

#include <ATen/ops/log_softmax.h>

#include "hearth/kernels/loss/cross_entropy.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"
#include "hearth/tensor/class_scores.h"

namespace hearth::network_ops {
namespace {

struct CrossEntropyLoss {
  using Options = CrossEntropyOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    const std::vector<int64_t> shape = check_classes(inputs[0], inputs[1]);
    check_class_count("class_weights", options.class_weights.size(), inputs[0]);
    return {shape};
  }

  // One kernel for all of it, where all classes count the same.
  static at::Tensor mean(const Options& options, const LossInputs& inputs) {
    if (!options.class_weights.empty() || inputs[0].numel() == 0) return {};
    return class_loss(inputs.kernels, inputs[0], known_labels(options, inputs[1]),
                      options.label_smoothing);
  }

  static at::Tensor counts(const Options& options, const LossInputs& inputs) {
    if (inputs[1].is_floating_point()) return {};
    return counted_labels(known_labels(options, inputs[1]));
  }

  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor surprise = at::log_softmax(inputs[0], 1).neg();
    const at::Tensor weights = options.class_weights.empty()
                                   ? at::Tensor()
                                   : numbers_for(options.class_weights, surprise, true);
    const at::Tensor weighted = weights.defined() ? surprise.mul(weights) : surprise;
    const double smoothing = options.label_smoothing;
    const double even = smoothing / static_cast<double>(surprise.size(1));
    if (inputs[1].is_floating_point())
      return {
          weighted.mul(inputs[1].to(surprise.scalar_type()).mul(1 - smoothing).add(even)).sum(1)};
    const at::Tensor labels = known_labels(options, inputs[1]);
    at::Tensor losses = of_true_class(weighted, labels);
    if (smoothing > 0) losses = losses.mul(1 - smoothing).add(weighted.sum(1), even);
    at::Tensor counts = counted_labels(labels);
    losses = losses.masked_fill(counts.logical_not(), 0);
    if (weights.defined()) counts = of_true_class(weights.expand_as(surprise), labels).mul(counts);
    return {losses, counts};
  }

 private:
  // With the number that kernels leave out in the place of the one that does not count.
  static at::Tensor known_labels(const Options& options, const at::Tensor& labels) {
    if (options.ignore == kIgnoredLabel || labels.is_floating_point()) return labels;
    return labels.masked_fill(labels.eq(options.ignore), kIgnoredLabel);
  }
};

}  // namespace

const Schema<CrossEntropyOptions>& CrossEntropyOptions::schema() {
  using O = CrossEntropyOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores and of the class numbers, or of soft labels: a share for each "
                 "class, by which the losses of all classes are weighed.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::label_smoothing, "label_smoothing",
                 "Share of certainty spread over all classes.", at_least(0), at_most(1))
          .field(&O::class_weights, "class_weights",
                 "How much each class counts, as many numbers as classes; left out: all the same.",
                 at_least(0))
          .field(&O::ignore, "ignore", "A class number that does not count.")
          .check("in must name two keys: the scores and the class numbers.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> cross_entropy(CrossEntropyOptions options) {
  return choose<NetworkOp>("cross_entropy", options);
}

void register_cross_entropy(Registry<NetworkOp>& ops) {
  ops.add<LossOp<CrossEntropyLoss>>("cross_entropy",
                                    "The loss of a classifier, from scores and labels.");
}

}  // namespace hearth::network_ops
