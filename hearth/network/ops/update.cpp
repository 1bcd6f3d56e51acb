// Moves a model's parameters down the gradient of a loss, once every `accumulate` batches.
#include "hearth/network/ops/update.h"

#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"
#include "hearth/network/step_watch.h"
#include "hearth/tensor/batch_loss.h"

namespace hearth::network_ops {
namespace {

class UpdateOp : public NetworkOp {
 public:
  using Options = UpdateOptions;
  explicit UpdateOp(UpdateOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.loss}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] int64_t batches_per_step() const override { return options_.accumulate; }

  [[nodiscard]] std::string model_name() const override { return options_.model; }

  void bind(ModelSet& models) override {
    model_ = &models.find(options_.model);
    if (model_->optimizer() == nullptr) {
      throw ConfigError("the model '" + options_.model +
                        "' has no optimizer. Give it one, such as adamw.");
    }
    if (!model_->is_trainable()) {
      throw ConfigError("the model '" + options_.model +
                        "' is not trainable. Remove the update, or set trainable: true.");
    }
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.loss, inputs[0]});
    if (!model_->is_built()) {
      throw GraphError("the model '" + options_.model + "' is never called. Put call before it.");
    }
    if (model_->parameter_count() == 0)
      throw GraphError("the model '" + options_.model +
                       "' has no parameters to move. Give it a layer that learns, such as linear.");
    if (std::none_of(handles().begin(), handles().end(),
                     [](const NamedTensor& named) { return named.second.requires_grad(); }))
      throw GraphError("all parameters of the model '" + options_.model +
                       "' are frozen. Freeze fewer, or leave the update out.");
    return {};
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    add_gradients(inputs[0], context);
    if (context.crew == nullptr) finish_batch(context, {});
  }

  [[nodiscard]] bool can_join() const override { return true; }
  void join(StepContext& context, std::span<const std::shared_ptr<NetworkOp>> others) override {
    std::vector<Optimizer*> optimizers;
    for (const auto& other : others)
      optimizers.push_back(static_cast<const UpdateOp&>(*other).model_->optimizer());
    finish_batch(context, optimizers);
  }

  // Gradients of an update that still waits for batches.
  [[nodiscard]] State state() const override {
    State state;
    state.values["batches"] = batches_;
    for (const auto& [name, parameter] : model_->optimizer()->parameters()) {
      if (batches_ == 0 || !parameter.grad().defined()) continue;
      state.tensors.emplace_back("gradient/" + name, parameter.grad());
    }
    return state;
  }

  void restore(const State& state) override {
    drop_gradients();
    batches_ = state.values.value("batches", int64_t{0});
    const State saved = state.part("gradient");
    for (const auto& [name, parameter] : model_->optimizer()->parameters()) {
      for (const auto& [saved_name, gradient] : saved.tensors) {
        if (saved_name == name) parameter.mutable_grad() = own_gradient(gradient, parameter);
      }
    }
  }

 private:
  // Gradients that wait for more batches are one set, so that a checkpoint holds one.
  void finish_batch(StepContext& context, std::span<Optimizer* const> others) {
    Optimizer& optimizer = *model_->optimizer();
    if (++batches_ < options_.accumulate) return optimizer.take_gradients(others);
    if (context.watch != nullptr)
      context.watch->on_gradients(options_.model, optimizer.gradients_with(others));
    optimizer.step(context.moment, options_.clip_norm, {others, context.crew});
    drop_gradients();
    for (Optimizer* other : others) other->drop_gradients();
    context.has_updated = true;
  }

  // So that the gradients of all batches and all replicas add up to that of the mean loss.
  [[nodiscard]] at::Tensor share_of(const at::Tensor& loss, const StepContext& context) const {
    if (context.share != 1)
      return loss.mul(context.share / static_cast<double>(options_.accumulate));
    return options_.accumulate > 1 ? loss.div(options_.accumulate) : loss;
  }

  void add_gradients(const at::Tensor& loss, const StepContext& context) {
    find_learning();
    torch::autograd::backward({share_of(loss, context)}, {}, !context.is_last_update, false,
                              learning_);
    const bool has_gradients =
        std::any_of(learning_.begin(), learning_.end(),
                    [](const at::Tensor& parameter) { return parameter.grad().defined(); });
    learning_.clear();  // who holds a parameter keeps it from being packed
    if (has_gradients) return;
    throw GraphError("update: the loss '" + options_.loss + "' does not depend on the model '" +
                     options_.model + "'. Name the loss of that model's output.");
  }

  // Which parameters learn may change from step to step; who they are does not.
  void find_learning() {
    learning_.clear();
    for (const auto& [name, parameter] : handles()) {
      if (parameter.requires_grad()) learning_.push_back(parameter);
    }
  }

  [[nodiscard]] const std::vector<NamedTensor>& handles() const {
    return model_->optimizer()->handles();
  }

  void drop_gradients() {
    model_->optimizer()->drop_gradients();
    batches_ = 0;
  }

  [[nodiscard]] static at::Tensor own_gradient(const at::Tensor& gradient,
                                               const at::Tensor& parameter) {
    return at::empty_like(parameter.detach()).copy_(gradient.detach());
  }

  UpdateOptions options_;
  Model* model_ = nullptr;
  std::vector<at::Tensor> learning_;  // of this step; kept for its memory
  int64_t batches_ = 0;               // since the last step
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
          .field(&O::clip_norm, "clip_norm",
                 "Largest norm of all gradients together: larger ones are scaled down to it; 0 for "
                 "any.",
                 at_least(0));
  return fields;
}

Choice<NetworkOp> update(UpdateOptions options) { return choose<NetworkOp>("update", options); }

void register_update(Registry<NetworkOp>& ops) {
  ops.add<UpdateOp>("update", "Moves a model's parameters down the gradient of a loss.");
}

}  // namespace hearth::network_ops
