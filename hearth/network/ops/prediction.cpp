// What scores say of a target: probabilities of its classes, or the numbers that they are. The
// target itself is not read: in prediction there is none.
#include "hearth/network/ops/prediction.h"

#include <ATen/ops/softmax.h>

#include "hearth/config/registry.h"
#include "hearth/network/losses/loss_checks.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class PredictionOp : public NetworkOp {
 public:
  using Options = PredictionOptions;
  explicit PredictionOp(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  void bind(ModelSet& models) override { models_ = &models; }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_floats({options_.in, inputs[0]});
    const auto known = models_->targets.find(options_.target);
    has_classes_ = known != models_->targets.end() && known->second > 0;
    Spec spec = inputs[0];
    if (has_classes_ && spec.classes == 0) spec.classes = spec.shape.empty() ? 0 : spec.shape[0];
    return {spec};
  }

  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    outputs[0] = has_classes_ ? at::softmax(inputs[0], 1) : inputs[0];
  }

 private:
  Options options_;
  ModelSet* models_ = nullptr;
  bool has_classes_ = false;  // the same for every plan
};

}  // namespace

const Schema<PredictionOptions>& PredictionOptions::schema() {
  using O = PredictionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::in, "in", "Key of the scores.", not_empty())
          .field(&O::target, "target", "Key of the data that they are scores of.", not_empty())
          .field(&O::out, "out", "Key of what they say.", not_empty());
  return fields;
}

Choice<NetworkOp> prediction(PredictionOptions options) {
  return choose<NetworkOp>("prediction", options);
}

void register_prediction(Registry<NetworkOp>& ops) {
  ops.add<PredictionOp>(
      "prediction",
      "What scores say of a target: probabilities if it has classes, else the numbers they are.");
}

}  // namespace hearth::network_ops
