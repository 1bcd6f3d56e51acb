// Kingma and Welling, Auto-Encoding Variational Bayes: the divergence of a normal distribution,
// given by means and logarithms of variances, from that of mean 0 and variance 1.
#include "hearth/network/ops/losses/kl_gaussian.h"

#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/losses/loss_op.h"

namespace hearth::network_ops {
namespace {

struct KlGaussianLoss {
  using Options = KlGaussianOptions;
  static LossShape check(const Options&, std::span<const KeySpec> inputs) {
    for (const KeySpec& key : inputs) check_floats(key);
    check_alike(inputs, "Let the encoder give a mean and a variance for each number.");
    return {};
  }
  static LossValues losses(const Options&, const LossInputs& inputs) {
    const at::Tensor all = inputs[0].square().add(inputs[1].exp()).sub(inputs[1]).sub(1);
    return {(all.dim() > 1 ? all.flatten(1).sum(1) : all).mul(0.5)};
  }
};

}  // namespace

const Schema<KlGaussianOptions>& KlGaussianOptions::schema() {
  using O = KlGaussianOptions;
  static const auto fields =
      weighed(Schema<O>()
                  .field(&O::in, "in", "Keys of the means and of the logarithms of the variances.")
                  .field(&O::out, "out", "Key of the loss.", not_empty())
                  .check("in must name two keys: the means and the logarithms of the variances.",
                         [](const O& options) { return options.in.size() == 2; }));
  return fields;
}

Choice<NetworkOp> kl_gaussian(KlGaussianOptions options) {
  return choose<NetworkOp>("kl_gaussian", options);
}

void register_kl_gaussian(Registry<NetworkOp>& ops) {
  ops.add<LossOp<KlGaussianLoss>>("kl_gaussian",
                                  "How far normal distributions are from the standard one, summed "
                                  "over their numbers: the second part of the loss of a VAE.");
}

}  // namespace hearth::network_ops
