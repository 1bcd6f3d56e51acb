// The two sides of a game: a critic tells real from made, a generator makes what it takes for real.
#include "hearth/network/ops/gan_loss.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/softplus.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct GanLoss {
  using Options = GanLossOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    for (const KeySpec& key : inputs)
      if (!is_floating(key.spec.dtype) || key.spec.is_per_batch)
        throw GraphError("needs scores of each sample, floats, in " + quote(key.key) +
                         ", but it is " + key.spec.text() +
                         ". Name what a call of the critic writes.");
    return {};
  }
  static LossValues losses(const Options& options, const LossInputs& inputs) {
    if (options.side == "critic")
      return {towards(options, inputs[0], 1).add(towards(options, inputs[1], -1))};
    const bool is_straight = options.form == "hinge" || options.form == "wasserstein";
    return {is_straight ? by_sample(inputs[0]).neg() : towards(options, inputs[0], 1)};
  }

 private:
  // A critic may score many places of a sample.
  static at::Tensor by_sample(const at::Tensor& scores) {
    return scores.dim() > 1 ? scores.flatten(1).mean(1) : scores;
  }
  // How far scores are from saying "real" (1) or "made" (-1).
  static at::Tensor towards(const Options& options, const at::Tensor& scores, double side) {
    if (options.form == "least_squares")
      return by_sample(scores.sub(side > 0 ? 1 : 0).square()).mul(0.5);
    const at::Tensor wrong = scores.mul(-side);
    if (options.form == "wasserstein") return by_sample(wrong);
    return by_sample(options.form == "hinge" ? at::relu(wrong.add(1)) : at::softplus(wrong));
  }
};

}  // namespace

const Schema<GanLossOptions>& GanLossOptions::schema() {
  using O = GanLossOptions;
  static const auto fields = weighed(
      Schema<O>()
          .field(&O::side, "side",
                 "`critic`: real samples score high, made ones low; `generator`: made ones score "
                 "high.",
                 one_of({"critic", "generator"}))
          .field(&O::in, "in",
                 "Keys of the critic's scores: of real samples and of made ones; for the "
                 "generator, of made ones alone.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(
              &O::form, "form",
              "How scores are judged: `logistic`, as probabilities; `hinge`, up to a margin of 1; "
              "`least_squares`, by their distance from 1 and 0; `wasserstein`, as they are, for a "
              "critic whose slopes are kept small.",
              one_of({"logistic", "hinge", "least_squares", "wasserstein"}))
          .check("in must name two keys for the critic, real and made, and one for the generator.",
                 [](const O& options) {
                   return options.in.size() == (options.side == "critic" ? 2 : 1);
                 }));
  return fields;
}

Choice<NetworkOp> gan_loss(GanLossOptions options) {
  return choose<NetworkOp>("gan_loss", options);
}

void register_gan_loss(Registry<NetworkOp>& ops) {
  ops.add<LossOp<GanLoss>>(
      "gan_loss", "The loss of a generator, or of the critic that tells its work from the real.");
}

}  // namespace hearth::network_ops
