// Moves a model's parameters down the gradient of a loss, once every `accumulate` batches.
#include "hearth/network/ops/update.h"

#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/accumulation.h"
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
        window_(timed_.fixed().accumulate) {}

  [[nodiscard]] int64_t batches_per_step() const override { return window_.batches(); }

  [[nodiscard]] bool reruns() const override { return mover().searches(); }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (mover().searches()) check_search();
    return LossUpdate::infer(inputs);
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    if (mover().searches()) return run_search(context, inputs[0]);
    mover().add_gradients(share_of(inputs[0], context), loss_key(), !context.is_last_update);
    if (context.crew == nullptr) finish_batch(context, {});
  }

  [[nodiscard]] Sharing sharing() const override {
    return mover().searches() ? Sharing::kNever : Sharing::kJoined;
  }
  void join(StepContext& context, std::span<const std::shared_ptr<NetworkOp>> others) override {
    std::vector<const Mover*> movers;
    for (const auto& other : others)
      movers.push_back(&static_cast<const UpdateOp&>(*other).mover());
    finish_batch(context, movers);
  }
  void leave_out(StepContext& context) override { finish_window(context, 0, {}); }

  // Gradients of an update that still waits for batches.
  [[nodiscard]] State state() const override {
    State state;
    window_.write(state);
    if (!window_.is_waiting()) return state;
    for (const auto& [name, parameter] : mover().parameters())
      if (parameter.grad().defined())
        state.tensors.emplace_back("gradient/" + name, parameter.grad());
    return state;
  }

  void restore(const State& state) override {
    mover().drop_gradients();
    window_.read(state);
    const State saved = state.part("gradient");
    for (const auto& [name, parameter] : mover().parameters()) {
      for (const auto& [saved_name, gradient] : saved.tensors) {
        if (saved_name == name) parameter.mutable_grad() = own_gradient(gradient, parameter);
      }
    }
  }

 private:
  // A search goes by the loss of this very batch.
  void check_search() const {
    const std::string who = "the optimizer looks at the loss along its way, ";
    if (window_.batches() > 1)
      throw GraphError(who + "so that a step takes one batch. Leave `accumulate` out.");
    if (timed_.fixed().clip_norm > 0)
      throw GraphError(who + "for which gradients must be what they are. Leave `clip_norm` out.");
    if (mover().optimizer_count() > 1)
      throw GraphError(who + "and must be the only one of the step. Name it with `optimizer`.");
  }

  void run_search(StepContext& context, const at::Tensor& loss) {
    if (context.rerun == nullptr)
      throw GraphError("update: the loss '" + loss_key() +
                       "' is given from outside, so that nothing can run again.");
    mover().add_gradients(loss, loss_key(), !context.is_last_update);
    mover().show_gradients(context.watch);
    mover().step_along(context.moment, loss.item<double>(), [&] {
      const c10::AutoGradMode with_gradients(true);
      mover().drop_gradients();
      const at::Tensor again = (*context.rerun)()[0];
      mover().add_gradients(again, loss_key(), false);
      return again.item<double>();
    });
    mover().drop_gradients();
    context.has_updated = true;
  }

  void finish_batch(StepContext& context, std::span<const Mover* const> others) {
    finish_window(context, context.weight, others);
  }

  // Gradients that wait for more batches are one set, so that a checkpoint holds one.
  void finish_window(StepContext& context, double weight, std::span<const Mover* const> others) {
    if (!window_.add(weight)) return mover().take_gradients(others);
    if (window_.has_samples()) step_by_mean(context, others);
    window_.begin();
  }

  void step_by_mean(StepContext& context, std::span<const Mover* const> others) {
    const double clip_norm = timed_.at(context.moment).clip_norm;
    if (window_.batches() == 1 || window_.correction() == 1)
      return take_step(context, clip_norm, others);
    const c10::AutoGradMode no_grad(false);
    mover().take_gradients(others);
    for (at::Tensor& gradient : mover().gradients()) gradient.mul_(window_.correction());
    take_step(context, clip_norm);
  }

  // So that the gradients of all batches and all replicas add up to that of the mean loss.
  [[nodiscard]] at::Tensor share_of(const at::Tensor& loss, const StepContext& context) const {
    const auto batches = static_cast<double>(window_.batches());
    const double weight = batches > 1 ? context.weight : 1;
    if (context.share * weight != 1) return loss.mul(context.share * weight / batches);
    return batches > 1 ? loss.div(window_.batches()) : loss;
  }

  [[nodiscard]] static at::Tensor own_gradient(const at::Tensor& gradient,
                                               const at::Tensor& parameter) {
    return at::empty_like(parameter.detach()).copy_(gradient.detach());
  }

  TimedOptions timed_;
  Accumulation window_;
};

}  // namespace

const Schema<UpdateOptions>& UpdateOptions::schema() {
  using O = UpdateOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss", "Key of the loss.", not_empty())
          .field(&O::accumulate, "accumulate",
                 "Batches that make one step, by the mean gradient of all their samples.",
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
