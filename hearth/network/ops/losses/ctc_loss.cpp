// Graves et al., Connectionist Temporal Classification: -log of the share of all ways to say the
// labels in this many steps, with blanks between.
#include "hearth/network/ops/losses/ctc_loss.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/ctc.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct CtcLoss {
  using Options = CtcLossOptions;
  static std::vector<std::string> keys(const Options& options) {
    std::vector<std::string> keys = options.in;
    if (!options.input_length.empty()) keys.push_back(options.input_length);
    if (!options.target_length.empty()) keys.push_back(options.target_length);
    return keys;
  }
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    check_floats(inputs[0]);
    if (inputs[0].spec.shape.size() != 2)
      throw GraphError("needs a score for each class and step, float [B, classes, steps], in " +
                       quote(inputs[0].key) + ", but it is " + inputs[0].spec.text() +
                       ". Name the key a model call writes.");
    if (inputs[1].spec.dtype != DType::kInt64 || inputs[1].spec.shape.size() != 1)
      throw GraphError("needs class numbers, int64 [B, labels], in " + quote(inputs[1].key) +
                       ", but it is " + inputs[1].spec.text() +
                       ". Use pad_longest on labels of any length.");
    if (options.blank >= inputs[0].spec.shape[0])
      throw GraphError("blank is " + std::to_string(options.blank) + ", but " +
                       quote(inputs[0].key) + " scores " + std::to_string(inputs[0].spec.shape[0]) +
                       " classes. Use a class of them.");
    for (const KeySpec& key : inputs.subspan(2)) check_class_numbers(key);
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    CtcInputs ctc{inputs[0], inputs[1], {}, {}, options.blank};
    size_t next = 2;
    if (!options.input_length.empty()) ctc.steps = inputs[next++];
    ctc.lengths = options.target_length.empty() ? real_labels(options, inputs[1]) : inputs[next];
    const at::Tensor losses = ctc_losses(inputs.kernels, ctc);
    return {options.by_length ? losses.div(ctc.lengths.clamp_min(1)) : losses};
  }

 private:
  static at::Tensor real_labels(const Options& options, const at::Tensor& labels) {
    return labels.ge(0).logical_and(labels.ne(options.blank)).sum(1);
  }
};

}  // namespace

const Schema<CtcLossOptions>& CtcLossOptions::schema() {
  using O = CtcLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores, float [B, classes, steps], and of the labels, int64 [B, "
                 "labels].")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::input_length, "input_length",
                 "Key of how many steps of each sample are real. Left out: all.")
          .field(
              &O::target_length, "target_length",
              "Key of how many of its labels are real, such as the `length` of pad_longest. Left "
              "out: all but blanks and negative numbers, which fill up the end.")
          .field(&O::blank, "blank", "The class that stands for nothing.", at_least(0))
          .field(&O::by_length, "by_length",
                 "Whether each sample's loss is divided by its number of labels, as in PyTorch's "
                 "mean.")
          .check("in must name two keys: the scores and the labels.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> ctc_loss(CtcLossOptions options) {
  return choose<NetworkOp>("ctc_loss", options);
}

void register_ctc_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<CtcLoss>>(
      "ctc_loss",
      "The loss of labels read from a longer sequence, without knowing where each of them is.");
}

}  // namespace hearth::network_ops
