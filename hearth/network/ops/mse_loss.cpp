// The loss of a regression: the mean of the squares of predicted minus true numbers.
#include "hearth/network/ops/mse_loss.h"

#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class MseLossOp : public NetworkOp {
 public:
  using Options = MseLossOptions;
  explicit MseLossOp(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check(inputs[0], inputs[1]);
    Spec loss;
    loss.dtype = inputs[0].dtype;
    loss.is_per_batch = true;
    return {loss};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    const at::Tensor truth = inputs[1].to(inputs[0].scalar_type()).reshape(inputs[0].sizes());
    const at::Tensor difference = inputs[0].sub(truth);
    outputs[0] = difference.mul(difference).mean();
  }

 private:
  // Without dimensions of one number at its end: [B] beside [B, 1].
  static std::vector<int64_t> lengths_that_matter(std::vector<int64_t> shape) {
    while (!shape.empty() && shape.back() == 1) shape.pop_back();
    return shape;
  }

  void check(const Spec& predicted, const Spec& truth) const {
    if (!is_floating(predicted.dtype))
      throw GraphError("needs predicted numbers, float [B, ...], in " + quote(options_.in[0]) +
                       ", but it is " + predicted.text() + ". Name the key a model call writes.");
    if (truth.role == Role::kClass && !is_floating(truth.dtype))
      throw GraphError("needs numbers in " + quote(options_.in[1]) + ", but it holds classes, " +
                       truth.text() + ", whose differences mean nothing. Use cross_entropy.");
    if (predicted.is_per_batch != truth.is_per_batch ||
        lengths_that_matter(predicted.shape) != lengths_that_matter(truth.shape))
      throw GraphError("needs a true number for each predicted one, but " + quote(options_.in[0]) +
                       " is " + predicted.text() + " and " + quote(options_.in[1]) + " is " +
                       truth.text() + ". Give the last layer as many values as the target has.");
  }

  Options options_;
};

}  // namespace

const Schema<MseLossOptions>& MseLossOptions::schema() {
  using O = MseLossOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Keys of the predicted numbers and of the true ones.")
          .field(&O::out, "out", "Key of the loss.", not_empty())
          .check("in must name two keys: the predicted numbers and the true ones.",
                 [](const O& options) { return options.in.size() == 2; });
  return fields;
}

Choice<NetworkOp> mse_loss(MseLossOptions options) {
  return choose<NetworkOp>("mse_loss", options);
}

void register_mse_loss(Registry<NetworkOp>& ops) {
  ops.add<MseLossOp>("mse_loss",
                     "The loss of a regression: the mean of the squares of what is missed.");
}

}  // namespace hearth::network_ops
