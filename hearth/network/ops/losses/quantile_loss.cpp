// Being below costs as much as the quantile says, being above the rest: the pinball loss.
#include "hearth/network/ops/losses/quantile_loss.h"

#include <ATen/ops/maximum.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/class_targets.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct QuantileLoss {
  using Options = QuantileLossOptions;
  static LossShape check(const Options& options, std::span<const KeySpec> inputs) {
    if (options.quantiles.size() == 1) return {check_numbers(inputs[0], inputs[1])};
    check_floats(inputs[0]);
    KeySpec each = inputs[0];
    const auto quantiles = static_cast<int64_t>(options.quantiles.size());
    if (each.spec.shape.empty() || each.spec.shape.back() != quantiles)
      throw GraphError("needs a number for each of " + std::to_string(quantiles) +
                       " quantiles as the last dimension of " + quote(each.key) + ", but it is " +
                       each.spec.text() + ". Give the last layer as many values.");
    each.spec.shape.pop_back();
    (void)check_numbers(each, inputs[1]);
    return {inputs[0].spec.shape};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    const at::Tensor& predicted = inputs[0];
    const at::Tensor quantiles = numbers_for(options.quantiles, predicted);
    const bool is_one = options.quantiles.size() == 1;
    const at::Tensor truth = is_one
                                 ? numbers_like(inputs[1], predicted)
                                 : numbers_like(inputs[1], predicted.select(-1, 0)).unsqueeze(-1);
    const at::Tensor below = truth.sub(predicted);
    return {at::maximum(below.mul(quantiles), below.mul(quantiles.sub(1)))};
  }
};

}  // namespace

const Schema<QuantileLossOptions>& QuantileLossOptions::schema() {
  using O = QuantileLossOptions;
  static const auto fields =
      weighed(Schema<O>()
                  .field(&O::in, "in", "Keys of the predicted numbers and of the true ones.")
                  .field(&O::out, "out", "Key of the loss.", not_empty())
                  .field(&O::quantiles, "quantiles",
                         "The share of true numbers that shall lie below each predicted one. With "
                         "several, the predicted numbers have a last dimension more, one for each.",
                         not_empty(), above(0), below(1))
                  .check("in must name two keys: the predicted numbers and the true ones.",
                         [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> quantile_loss(QuantileLossOptions options) {
  return choose<NetworkOp>("quantile_loss", options);
}

void register_quantile_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<QuantileLoss>>(
      "quantile_loss",
      "The loss of a regression of quantiles: of bounds that a share of the numbers lies below.");
}

}  // namespace hearth::network_ops
