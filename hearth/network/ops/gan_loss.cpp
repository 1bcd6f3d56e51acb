// The two sides of a game: a critic tells real from made, a generator makes what it takes for real.
#include "hearth/network/ops/gan_loss.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/softplus.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class GanLossOp : public NetworkOp {
 public:
  using Options = GanLossOptions;
  explicit GanLossOp(GanLossOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    for (size_t i = 0; i < inputs.size(); ++i)
      if (!is_floating(inputs[i].dtype) || inputs[i].is_per_batch)
        throw GraphError("needs scores of each sample, floats, in '" + options_.in[i] +
                         "', but it is " + inputs[i].text() +
                         ". Name what a call of the critic writes.");
    Spec loss;
    loss.dtype = inputs[0].dtype;
    loss.is_per_batch = true;
    return {loss};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    if (options_.side == "generator")
      outputs[0] = generator_loss(inputs[0]);
    else
      outputs[0] = towards(inputs[0], 1).add(towards(inputs[1], -1));
  }

 private:
  // How far scores are from saying "real" (1) or "made" (-1), in the mean.
  [[nodiscard]] at::Tensor towards(const at::Tensor& scores, double side) const {
    if (options_.form == "least_squares") {
      const double target = side > 0 ? 1 : 0;
      return scores.sub(target).square().mean().mul(0.5);
    }
    const at::Tensor wrong = scores.mul(-side);
    return (options_.form == "hinge" ? at::relu(wrong.add(1)) : at::softplus(wrong)).mean();
  }
  [[nodiscard]] at::Tensor generator_loss(const at::Tensor& scores) const {
    return options_.form == "hinge" ? scores.mean().neg() : towards(scores, 1);
  }

  GanLossOptions options_;
};

}  // namespace

const Schema<GanLossOptions>& GanLossOptions::schema() {
  using O = GanLossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::side, "side",
                 "`critic`: real samples score high, made ones low; `generator`: made ones score "
                 "high.",
                 one_of({"critic", "generator"}))
          .field(
              &O::in, "in",
              "Keys of the critic's scores: of real samples and of made ones; for the generator, "
              "of made ones alone.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .field(&O::form, "form",
                 "How scores are judged: `logistic`, as probabilities; `hinge`, up to a margin of "
                 "1; `least_squares`, by their distance from 1 and 0.",
                 one_of({"logistic", "hinge", "least_squares"}))
          .check("in must name two keys for the critic, real and made, and one for the generator.",
                 [](const O& options) {
                   return options.in.size() == (options.side == "critic" ? 2 : 1);
                 });
  return fields;
}

Choice<NetworkOp> gan_loss(GanLossOptions options) {
  return choose<NetworkOp>("gan_loss", options);
}

void register_gan_loss(Registry<NetworkOp>& ops) {
  ops.add<GanLossOp>(
      "gan_loss", "The loss of a generator, or of the critic that tells its work from the real.");
}

}  // namespace hearth::network_ops
