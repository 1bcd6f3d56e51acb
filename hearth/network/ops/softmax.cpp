// Scores of classes to probabilities, over the first dimension after the batch.
#include "hearth/network/ops/softmax.h"

#include <ATen/ops/softmax.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class SoftmaxOp : public NetworkOp {
 public:
  using Options = SoftmaxOptions;
  explicit SoftmaxOp(SoftmaxOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    Spec spec = inputs[0];
    if (!is_floating(spec.dtype) || spec.shape.empty()) {
      throw GraphError("needs a score for each class, float [B, classes], in '" + options_.in +
                       "', but it is " + spec.text() + ". Name the key a model call writes.");
    }
    if (spec.classes == 0) spec.classes = spec.shape.front();
    return {spec};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = at::softmax(inputs[0], 1);
  }

 private:
  SoftmaxOptions options_;
};

}  // namespace

const Schema<SoftmaxOptions>& SoftmaxOptions::schema() {
  using O = SoftmaxOptions;
  static const auto fields = Schema<O>()
                                 .field(&O::in, "in", "Key of the scores.", not_empty())
                                 .field(&O::out, "out", "Key of the probabilities.", not_empty());
  return fields;
}

Choice<NetworkOp> softmax(SoftmaxOptions options) { return choose<NetworkOp>("softmax", options); }

void register_softmax(Registry<NetworkOp>& ops) {
  ops.add<SoftmaxOp>("softmax", "Scores of classes to probabilities that sum to one.");
}

}  // namespace hearth::network_ops
