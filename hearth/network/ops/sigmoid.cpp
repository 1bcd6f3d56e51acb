// Scores of yes or no to probabilities, each by itself.
#include "hearth/network/ops/sigmoid.h"

#include <ATen/ops/sigmoid.h>

#include "hearth/config/registry.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class SigmoidOp : public NetworkOp {
 public:
  using Options = SigmoidOptions;
  explicit SigmoidOp(SigmoidOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  // Its probabilities do not sum to one: they are of no classes.
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_floats({options_.in, inputs[0]});
    Spec spec;
    spec.dtype = inputs[0].dtype;
    spec.shape = inputs[0].shape;
    return {spec};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = at::sigmoid(inputs[0]);
  }

 private:
  SigmoidOptions options_;
};

}  // namespace

const Schema<SigmoidOptions>& SigmoidOptions::schema() {
  using O = SigmoidOptions;
  static const auto fields = Schema<O>()
                                 .field(&O::in, "in", "Key of the scores.", not_empty())
                                 .field(&O::out, "out", "Key of the probabilities.", not_empty());
  return fields;
}

Choice<NetworkOp> sigmoid(SigmoidOptions options) { return choose<NetworkOp>("sigmoid", options); }

void register_sigmoid(Registry<NetworkOp>& ops) {
  ops.add<SigmoidOp>("sigmoid", "Scores of yes or no to probabilities, each by itself.");
}

}  // namespace hearth::network_ops
