// Numbers drawn from normal distributions that a model gives: the mean and noise times the
// deviation, so that gradients flow to both.
#include "hearth/network/ops/sample_gaussian.h"

#include <ATen/ops/empty_like.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class SampleGaussianOp : public NetworkOp {
 public:
  using Options = SampleGaussianOptions;
  explicit SampleGaussianOp(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    const std::vector<KeySpec> keys = {{options_.in[0], inputs[0]}, {options_.in[1], inputs[1]}};
    for (const KeySpec& key : keys) check_floats(key);
    check_alike(keys, "Let the encoder give a mean and a variance for each number.");
    Spec drawn;
    drawn.dtype = inputs[0].dtype;
    drawn.shape = inputs[0].shape;
    return {drawn};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    if (!options_.random.has(context.mode)) {
      outputs[0] = inputs[0];
      return;
    }
    const at::Tensor noise = at::empty_like(inputs[0]).normal_(0, 1, random_generator());
    outputs[0] = inputs[0].add(inputs[1].mul(0.5).exp().mul(noise));
  }

 private:
  Options options_;
};

}  // namespace

const Schema<SampleGaussianOptions>& SampleGaussianOptions::schema() {
  using O = SampleGaussianOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Keys of the means and of the logarithms of the variances.")
          .field(&O::out, "out", "Key of the numbers.", not_empty())
          .field(&O::random, "random",
                 "Modes in which they are drawn; in others they are the means.")
          .check("in must name two keys: the means and the logarithms of the variances.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<NetworkOp> sample_gaussian(SampleGaussianOptions options) {
  return choose<NetworkOp>("sample_gaussian", options);
}

void register_sample_gaussian(Registry<NetworkOp>& ops) {
  ops.add<SampleGaussianOp>(
      "sample_gaussian",
      "Numbers drawn from normal distributions, so that gradients flow to their means and "
      "variances.");
}

}  // namespace hearth::network_ops
