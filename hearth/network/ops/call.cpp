// Runs a model on one key or several; building the plan builds the model for their specs.
#include "hearth/network/ops/call.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth::network_ops {
namespace {

class CallOp : public NetworkOp {
 public:
  using Options = CallOptions;
  explicit CallOp(CallOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return options_.in; }
  [[nodiscard]] std::vector<std::string> writes() const override { return options_.out; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }

  [[nodiscard]] std::vector<std::string> model_names() const override { return {options_.model}; }
  [[nodiscard]] bool passes_gradients() const override { return !options_.detach; }

  void bind(ModelSet& models) override {
    models_ = &models;
    model_ = &models.find(options_.model);
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    std::vector<Spec> outputs = model_->build(inputs, models_->build_context());
    if (outputs.size() == options_.out.size()) return outputs;
    throw GraphError("the model '" + options_.model + "' gives " + std::to_string(outputs.size()) +
                     " values" + names_of_outputs() + ", but out names " +
                     std::to_string(options_.out.size()) + " (" + hearth::join(options_.out, ", ") +
                     "). Name as many.");
  }

  void use_specs(std::span<const Spec> inputs) override { model_->select_shape(inputs); }

  // A model that does not learn behaves as in evaluation also while others train.
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    Layer& layer = model_->layer();
    const bool is_training = context.mode == Mode::kTrain && model_->is_trainable();
    if (layer.is_training() != is_training) layer.set_training(is_training);
    std::vector<at::Tensor> detached;
    if (options_.detach) {
      for (const at::Tensor& input : inputs) detached.push_back(input.detach());
      inputs = detached;
    }
    if (inputs.size() == 1 && outputs.size() == 1)
      outputs[0] = layer(inputs[0]);
    else
      layer(inputs, outputs);
  }

 private:
  [[nodiscard]] std::string names_of_outputs() const {
    const std::vector<std::string>& names = model_->layer().description().outputs;
    return names.empty() ? "" : " (" + hearth::join(names, ", ") + ")";
  }

  CallOptions options_;
  ModelSet* models_ = nullptr;
  Model* model_ = nullptr;
};

}  // namespace

const Schema<CallOptions>& CallOptions::schema() {
  using O = CallOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::in, "in", "Keys that go into the model.", not_empty())
          .field(&O::out, "out", "Keys of what comes out.", not_empty())
          .field(&O::detach, "detach", "Let no gradients flow back into what goes into the model.")
          .check("in and out must name keys.", [](const O& options) {
            return std::count(options.in.begin(), options.in.end(), "") +
                       std::count(options.out.begin(), options.out.end(), "") ==
                   0;
          });
  return fields;
}

Choice<NetworkOp> call(CallOptions options) { return choose<NetworkOp>("call", options); }

void register_call(Registry<NetworkOp>& ops) {
  ops.add<CallOp>("call", "Runs a model on one key or several.");
}

}  // namespace hearth::network_ops
