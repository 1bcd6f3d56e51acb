// Moves a model's parameters down the gradient of a loss, once every `accumulate` batches.
#include "hearth/network/ops/update.h"

#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include <optional>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/accumulation.h"
#include "hearth/network/found_gradients.h"
#include "hearth/network/gradient_scaler.h"
#include "hearth/network/loss_update.h"
#include "hearth/network/shard_weights.h"
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

  void bind(ModelSet& models) override {
    LossUpdate::bind(models);
    if (models.kernels.precision == Precision::kFloat16) scaler_.emplace();
    if (!scaler_) mover().keep_share_of_gradients();
  }

  [[nodiscard]] int64_t batches_per_step() const override { return window_.batches(); }

  [[nodiscard]] bool reruns() const override { return mover().searches(); }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    if (mover().searches()) check_search();
    return LossUpdate::infer(inputs);
  }

  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    if (mover().searches()) return run_search(context, inputs[0]);
    weight_ = window_.weight_of(context);
    at::Tensor loss = window_.scaled(inputs[0], *weight_);
    if (scaler_) loss = scaler_->scaled(loss);
    mover().add_gradients(loss, loss_key(), !context.is_last_update);
    if (context.crew == nullptr) finish_window(context, *std::exchange(weight_, std::nullopt), {});
  }

  [[nodiscard]] Sharing sharing() const override {
    return mover().searches() ? Sharing::kNever : Sharing::kJoined;
  }
  void begin_join(StepContext& context, Others others, size_t running) override {
    if (context.ranks != nullptr && window_.needs_one_more())
      mover().begin_sum(movers_of(others), *context.ranks, running);
  }
  void join(StepContext& context, Others others) override {
    mover().end_search();
    std::vector<std::optional<BatchWeight>> weights = {std::exchange(weight_, std::nullopt)};
    for (const auto& other : others)
      weights.push_back(std::exchange(static_cast<UpdateOp&>(*other).weight_, std::nullopt));
    finish_window(context, joined_weight(context, weights), movers_of(others));
    for (const auto& other : others) static_cast<UpdateOp&>(*other).scaler_ = scaler_;
  }
  [[nodiscard]] bool gathers() const override {
    return !mover().searches() && window_.batches() == 1;
  }
  [[nodiscard]] FoundGradients take_found(Others others) override {
    std::vector<std::optional<BatchWeight>> weights = {std::exchange(weight_, std::nullopt)};
    for (const auto& other : others)
      weights.push_back(std::exchange(static_cast<UpdateOp&>(*other).weight_, std::nullopt));
    return {mover().take_rows(movers_of(others)), weight_packet(weights)};
  }
  void step_by(StepContext& context, Others others, const ArrivedGradients& arrived) override {
    const c10::AutoGradMode no_grad(false);
    mover().put_rows(arrived.rows);
    const BatchWeight weight = weight_of_packets(arrived.weights);
    if (arrived.scale != 1 && !weight.counted.defined())
      for (const at::Tensor& gradient : mover().gradients()) gradient.mul_(arrived.scale);
    (void)window_.add(weight);
    if (window_.has_samples()) step_by_taken(context);
    window_.begin();
    for (const auto& other : others) static_cast<UpdateOp&>(*other).scaler_ = scaler_;
  }
  void leave_out(StepContext& context, Others others) override {
    finish_window(context, {}, movers_of(others));
  }

  // Gradients of an update that still waits for batches: each shard keeps the sum of its own.
  [[nodiscard]] State state() const override {
    State state = shard_state();
    window_.write(state);
    if (scaler_) scaler_->write(state);
    return state;
  }
  void restore(const State& state) override {
    restore_shard(state);
    window_.read(state);
    if (scaler_) scaler_->read(state);
  }
  [[nodiscard]] State shard_state() const override {
    State state;
    for (const auto& [name, parameter] : mover().parameters())
      if (parameter.grad().defined())
        state.tensors.emplace_back("gradient/" + name, parameter.grad());
    return state;
  }
  void restore_shard(const State& state) override {
    mover().drop_gradients();
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
    if (scaler_) throw GraphError(who + "which precision: float16 scales. Use another precision.");
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

  static std::vector<Mover*> movers_of(Others others) {
    std::vector<Mover*> movers;
    for (const auto& other : others) movers.push_back(&static_cast<UpdateOp&>(*other).mover());
    return movers;
  }

  void finish_window(StepContext& context, const BatchWeight& weight,
                     std::span<Mover* const> others) {
    if (!window_.add(weight)) return;
    if (window_.has_samples()) step_by_mean(context, others);
    window_.begin();
  }

  void step_by_mean(StepContext& context, std::span<Mover* const> others) {
    const bool is_alone = context.ranks == nullptr;
    if (is_alone && !window_.needs_correction() && !scaler_)
      return take_step(context, timed_.at(context.moment).clip_norm, others);
    const c10::AutoGradMode no_grad(false);
    mover().take_gradients(others, context.ranks);
    step_by_taken(context);
  }

  // By gradients that are all in this op's own place.
  void step_by_taken(StepContext& context) {
    if (scaler_ && !scaler_->unscale(mover().gradients())) {  // left out, but it counts
      mover().drop_gradients();
      context.has_updated = true;
      return;
    }
    if (window_.needs_correction()) window_.correct(mover().gradients());
    take_step(context, timed_.at(context.moment).clip_norm);
  }

  [[nodiscard]] static at::Tensor own_gradient(const at::Tensor& gradient,
                                               const at::Tensor& parameter) {
    return at::empty_like(parameter.detach()).copy_(gradient.detach());
  }

  TimedOptions timed_;
  Accumulation window_;
  std::optional<BatchWeight> weight_;     // of the batch that runs
  std::optional<GradientScaler> scaler_;  // for float16
};

}  // namespace

const Schema<UpdateOptions>& UpdateOptions::schema() {
  using O = UpdateOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model.", not_empty())
          .field(&O::loss, "loss", "Key of the loss.", not_empty())
          .field(
              &O::accumulate, "accumulate",
              "Batches that make one step, by the mean gradient of all their samples, or of what "
              "counts where a loss leaves out or weighs some.",
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
