// Kullback and Leibler's divergence of predicted shares of classes from true ones, summed over the
// classes.
#include "hearth/network/ops/losses/kl_loss.h"

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/xlogy.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct KlLoss {
  using Options = KlLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    for (const KeySpec& key : inputs) check_floats(key);
    if (inputs[0].spec.shape.empty())
      throw GraphError("needs a number for each class, float [B, classes], in " +
                       quote(inputs[0].key) + ", but it is " + inputs[0].spec.text() +
                       ". Name the key a model call writes.");
    check_alike(inputs, "Give both as many classes; for class numbers, use cross_entropy.");
    return {{inputs[0].spec.shape.begin() + 1, inputs[0].spec.shape.end()}};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor predicted =
        options.predicted == "scores" ? at::log_softmax(inputs[0], 1) : inputs[0];
    const at::Tensor truth = inputs[1].to(predicted.scalar_type());
    if (options.truth == "probability")
      return {at::xlogy(truth, truth).sub(truth.mul(predicted)).sum(1)};
    const at::Tensor known = options.truth == "scores" ? at::log_softmax(truth, 1) : truth;
    return {known.exp().mul(known.sub(predicted)).sum(1)};
  }
};

}  // namespace

const Schema<KlLossOptions>& KlLossOptions::schema() {
  using O = KlLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::in, "in",
                 "Keys of what is predicted and of the true shares, float [B, classes, ...].")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::predicted, "predicted", "What the first key holds.",
                 one_of({"scores", "log_probability"}))
          .field(&O::truth, "truth", "What the second key holds.",
                 one_of({"probability", "scores", "log_probability"}))
          .check("in must name two keys: the predicted scores and the true shares.",
                 [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> kl_loss(KlLossOptions options) { return choose<NetworkOp>("kl_loss", options); }

void register_kl_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<KlLoss>>("kl_loss", "How far predicted shares of classes are from true ones.");
}

}  // namespace hearth::network_ops
