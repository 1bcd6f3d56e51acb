// Moves a model's parameters down the gradient of a loss, once every `accumulate` batches.
#include "hearth/network/ops/update.h"

#include <ATen/ops/empty_like.h>

#include "hearth/config/registry.h"
#include "hearth/network/loss_update.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class UpdateOp : public LossUpdate {
 public:
  using Options = UpdateOptions;
  using TimedOptions = Timed<UpdateOptions>;
  explicit UpdateOp(TimedOptions options)
      : LossUpdate(
            {"update", options.fixed().model, options.fixed().loss, options.fixed().optimizer}),
        timed_(std::move(options)),
        accumulate_(timed_.fixed().accumulate) {}

  [[nodiscard]] int64_t batches_per_step() const override { return accumulate_; }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    mover().add_gradients(share_of(inputs[0], context), loss_key(), !context.is_last_update);
    if (context.crew == nullptr) finish_batch(context, {});
  }

  [[nodiscard]] Sharing sharing() const override { return Sharing::kJoined; }
  void join(StepContext& context, std::span<const std::shared_ptr<NetworkOp>> others) override {
    std::vector<const Mover*> movers;
    for (const auto& other : others)
      movers.push_back(&static_cast<const UpdateOp&>(*other).mover());
    finish_batch(context, movers);
  }

  // Gradients of an update that still waits for batches.
  [[nodiscard]] State state() const override {
    State state;
    state.values["batches"] = batches_;
    if (batches_ == 0) return state;
    for (const auto& [name, parameter] : mover().parameters())
      if (parameter.grad().defined())
        state.tensors.emplace_back("gradient/" + name, parameter.grad());
    return state;
  }

  void restore(const State& state) override {
    mover().drop_gradients();
    batches_ = state.values.value("batches", int64_t{0});
    const State saved = state.part("gradient");
    for (const auto& [name, parameter] : mover().parameters()) {
      for (const auto& [saved_name, gradient] : saved.tensors) {
        if (saved_name == name) parameter.mutable_grad() = own_gradient(gradient, parameter);
      }
    }
  }

 private:
  // Gradients that wait for more batches are one set, so that a checkpoint holds one.
  void finish_batch(StepContext& context, std::span<const Mover* const> others) {
    if (++batches_ < accumulate_) return mover().take_gradients(others);
    take_step(context, timed_.at(context.moment).clip_norm, others);
    batches_ = 0;
  }

  // So that the gradients of all batches and all replicas add up to that of the mean loss.
  [[nodiscard]] at::Tensor share_of(const at::Tensor& loss, const StepContext& context) const {
    if (context.share != 1) return loss.mul(context.share / static_cast<double>(accumulate_));
    return accumulate_ > 1 ? loss.div(accumulate_) : loss;
  }

  [[nodiscard]] static at::Tensor own_gradient(const at::Tensor& gradient,
                                               const at::Tensor& parameter) {
    return at::empty_like(parameter.detach()).copy_(gradient.detach());
  }

  TimedOptions timed_;
  const int64_t accumulate_;
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
          .field(&O::clip_norm, "clip_norm", kClipNormHelp, at_least(0))
          .field(&O::optimizer, "optimizer",
                 "The one of the model's `optimizers` that makes the step; left out: all of them.");
  return fields;
}

Choice<NetworkOp> update(UpdateOptions options) { return choose<NetworkOp>("update", options); }

void register_update(Registry<NetworkOp>& ops) {
  ops.add<UpdateOp>("update", "Moves a model's parameters down the gradient of a loss.");
}

}  // namespace hearth::network_ops
