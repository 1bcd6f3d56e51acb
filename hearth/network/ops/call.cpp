// Runs a model on a key; building the plan builds the model for that key's spec.
#include "hearth/network/ops/call.h"

#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth {
namespace {

class CallOp : public NetworkOp {
 public:
  using Options = CallOptions;
  explicit CallOp(CallOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  void bind(ModelSet& models) override {
    models_ = &models;
    model_ = &models.find(options_.model);
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    return {model_->build(inputs[0], models_->seed, models_->classes, models_->device,
                          models_->kernels)};
  }

  // A model that does not learn behaves as in evaluation also while others train.
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    Layer& layer = model_->layer();
    const bool is_training = context.mode == Mode::kTrain && model_->is_trainable();
    if (layer.is_training() != is_training) layer.set_training(is_training);
    outputs[0] = layer(inputs[0]);
  }

 private:
  CallOptions options_;
  ModelSet* models_ = nullptr;
  Model* model_ = nullptr;
};

}  // namespace

const Schema<CallOptions>& CallOptions::schema() {
  using O = CallOptions;
  static const auto fields = Schema<O>()
                                 .field(&O::model, "model", "Name of the model.", not_empty())
                                 .field(&O::in, "in", "Key that goes into the model.", not_empty())
                                 .field(&O::out, "out", "Key of what comes out.", not_empty());
  return fields;
}

Choice<NetworkOp> call(CallOptions options) { return choose<NetworkOp>("call", options); }

void register_call(Registry<NetworkOp>& ops) { ops.add<CallOp>("call", "Runs a model on a key."); }

}  // namespace hearth
