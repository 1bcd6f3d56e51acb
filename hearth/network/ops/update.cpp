// Moves a model's parameters down the gradient of a loss, once every `accumulate` batches.
#include "hearth/network/ops/update.h"

#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

// PyTorch's clip_grad_norm_; the factor stays on the device, so that nothing waits for it.
void clip_gradients(const std::vector<at::Tensor>& gradients, double limit) {
  const c10::AutoGradMode no_grad(false);
  std::vector<at::Tensor> norms;
  for (const at::Tensor& gradient : gradients) norms.push_back(at::norm(gradient, 2));
  const at::Tensor norm = at::norm(at::stack(norms), 2);
  const at::Tensor factor = norm.add(1e-6).reciprocal_().mul_(limit).clamp_max_(1);
  for (const at::Tensor& gradient : gradients) gradient.mul_(factor);
}

class UpdateOp : public NetworkOp {
 public:
  using Options = UpdateOptions;
  explicit UpdateOp(UpdateOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.loss}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] int64_t batches_per_step() const override { return options_.accumulate; }

  void bind(ModelSet& models) override {
    model_ = &models.find(options_.model);
    if (model_->optimizer() == nullptr) {
      throw ConfigError("update: the model '" + options_.model +
                        "' has no optimizer. Give it one, such as adamw.");
    }
    if (!model_->is_trainable()) {
      throw ConfigError("update: the model '" + options_.model +
                        "' is not trainable. Remove the update, or set trainable: true.");
    }
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (!inputs[0].is_per_batch || !inputs[0].shape.empty() || !is_floating(inputs[0].dtype)) {
      throw GraphError("needs one float for the whole batch in '" + options_.loss +
                       "', but it is " + inputs[0].text() + ". Name the key a loss writes.");
    }
    if (!model_->is_built()) {
      throw GraphError("the model '" + options_.model + "' is never called. Put call before it.");
    }
    return {};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    add_gradients(inputs[0], !context.is_last_update);
    if (++batches_ < options_.accumulate) return;
    if (options_.clip_norm > 0) clip_gradients(gradients(), options_.clip_norm);
    model_->optimizer()->step(context.moment);
    drop_gradients();
    context.has_updated = true;
  }

  // Gradients of an update that still waits for batches.
  [[nodiscard]] State state() const override {
    State state;
    state.values["batches"] = batches_;
    for (const auto& [name, parameter] : model_->layer().parameters()) {
      if (batches_ == 0 || !parameter.grad().defined()) continue;
      state.tensors.emplace_back("gradient/" + name, parameter.grad());
    }
    return state;
  }

  void restore(const State& state) override {
    drop_gradients();
    batches_ = state.values.value("batches", int64_t{0});
    const State saved = state.part("gradient");
    for (const auto& [name, parameter] : model_->layer().parameters()) {
      for (const auto& [saved_name, gradient] : saved.tensors) {
        if (saved_name == name) parameter.mutable_grad() = own_gradient(gradient, parameter);
      }
    }
  }

 private:
  void add_gradients(const at::Tensor& loss, bool keep_graph) {
    const at::Tensor share = options_.accumulate > 1 ? loss.div(options_.accumulate) : loss;
    torch::autograd::backward({share}, {}, keep_graph, false, learning_parameters());
    if (!gradients().empty()) return;
    throw GraphError("update: the loss '" + options_.loss + "' does not depend on the model '" +
                     options_.model + "'. Name the loss of that model's output.");
  }

  [[nodiscard]] std::vector<at::Tensor> learning_parameters() {
    std::vector<at::Tensor> found;
    for (const auto& [name, parameter] : model_->layer().parameters()) {
      if (parameter.requires_grad()) found.push_back(parameter);
    }
    return found;
  }

  [[nodiscard]] std::vector<at::Tensor> gradients() {
    std::vector<at::Tensor> found;
    for (const at::Tensor& parameter : learning_parameters()) {
      if (parameter.grad().defined()) found.push_back(parameter.grad());
    }
    return found;
  }

  void drop_gradients() {
    for (const auto& [name, parameter] : model_->layer().parameters()) {
      parameter.mutable_grad() = at::Tensor();
    }
    batches_ = 0;
  }

  [[nodiscard]] static at::Tensor own_gradient(const at::Tensor& gradient,
                                               const at::Tensor& parameter) {
    return gradient.detach().to(parameter.device()).clone();
  }

  UpdateOptions options_;
  Model* model_ = nullptr;
  int64_t batches_ = 0;  // since the last step
};

}  // namespace

const Schema<UpdateOptions>& UpdateOptions::schema() {
  using O = UpdateOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss", "Key of the loss.", not_empty())
          .field(&O::accumulate, "accumulate", "Batches whose mean gradient makes one step.",
                 at_least(1))
          .field(&O::clip_norm, "clip_norm", "Largest norm of all gradients together; 0 for any.",
                 at_least(0));
  return fields;
}

Choice<NetworkOp> update(UpdateOptions options) { return choose<NetworkOp>("update", options); }

void register_update(Registry<NetworkOp>& ops) {
  ops.add<UpdateOp>("update", "Moves a model's parameters down the gradient of a loss.");
}

}  // namespace hearth
