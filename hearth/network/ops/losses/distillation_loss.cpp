// Hinton et al., Distilling the Knowledge in a Neural Network: softened shares of a teacher, beside
// the labels.
#include "hearth/network/ops/losses/distillation_loss.h"

#include <ATen/ops/log_softmax.h>

#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct DistillationLoss {
  using Options = DistillationLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    for (const KeySpec& key : inputs.first(2)) check_floats(key);
    check_alike(inputs.first(2), "Teacher and student must score the same classes.");
    KeySpec labels = inputs.size() == 3 ? inputs[2] : inputs[0];
    if (inputs.size() == 3) return {check_classes(inputs[0], labels)};
    labels.spec.role = Role::kClass;
    return {check_classes(inputs[0], labels)};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const double factor = 1 / options.temperature;
    const at::Tensor taught = at::log_softmax(inputs[1].detach().mul(factor), 1);
    const at::Tensor said = at::log_softmax(inputs[0].mul(factor), 1);
    const at::Tensor from_teacher =
        taught.exp().mul(taught.sub(said)).sum(1).mul(options.temperature * options.temperature);
    if (inputs.values.size() == 2) return {from_teacher};
    const at::Tensor surprise = at::log_softmax(inputs[0], 1).neg();
    if (inputs[2].is_floating_point())
      return {mixed(options, from_teacher, surprise.mul(inputs[2]).sum(1))};
    const at::Tensor counts = counted_labels(inputs[2]);
    const at::Tensor losses = mixed(options, from_teacher, of_true_class(surprise, inputs[2]));
    return {losses.masked_fill(counts.logical_not(), 0), counts};
  }

 private:
  static at::Tensor mixed(const Options& options, const at::Tensor& from_teacher,
                          const at::Tensor& from_labels) {
    return from_teacher.mul(options.alpha).add(from_labels, 1 - options.alpha);
  }
};

}  // namespace

const Schema<DistillationLossOptions>& DistillationLossOptions::schema() {
  using O = DistillationLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of the scores, of the teacher's, and of the class numbers, which may be "
                 "left out.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(
              &O::temperature, "temperature",
              "By which both models' scores are divided: the higher, the more small shares matter.",
              above(0))
          .field(&O::alpha, "alpha", "The teacher's share of the loss; the labels have the rest.",
                 at_least(0), at_most(1))
          .check(
              "in must name two keys, the scores and the teacher's, or three: also the class "
              "numbers.",
              [](const O& options) { return options.in.size() == 2 || options.in.size() == 3; }));
  return fields;
}

Choice<NetworkOp> distillation_loss(DistillationLossOptions options) {
  return choose<NetworkOp>("distillation_loss", options);
}

void register_distillation_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<DistillationLoss>>("distillation_loss",
                                    "A model learns from what another says, and from labels.");
}

}  // namespace hearth::network_ops
