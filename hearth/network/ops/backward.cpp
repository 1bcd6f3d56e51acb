// Finds the gradients of models, and gives them a key.
#include "hearth/network/ops/backward.h"

#include <optional>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"
#include "hearth/network/rank_exchange.h"
#include "hearth/network/shard_weights.h"
#include "hearth/tensor/batch_loss.h"

namespace hearth::network_ops {
namespace {

class BackwardOp : public NetworkOp {
 public:
  using Options = BackwardOptions;
  explicit BackwardOp(BackwardOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    if (options_.in.empty()) return {options_.loss};
    return {options_.loss, options_.in};
  }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] std::vector<std::string> losses() const override { return {options_.loss}; }
  [[nodiscard]] std::vector<std::string> model_names() const override { return options_.model; }
  [[nodiscard]] bool takes_gradients() const override { return !options_.in.empty(); }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }

  void bind(ModelSet& models) override {
    std::vector<Model*> named;
    for (const std::string& name : options_.model) named.push_back(&models.find(name));
    mover_ = Mover(models.gradients.claim(options_.out, named).models, "", "backward");
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_batch_loss({options_.loss, inputs[0]});
    if (inputs.size() > 1) check_gradients({options_.in, inputs[1]});
    mover_.check_built();
    Spec spec;
    spec.is_per_batch = true;
    spec.role = Role::kGradients;
    return {spec};
  }

  // Values stay undefined: the key is a marker, the gradients lie with their parameters.
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor>) override {
    // What is there already is everybody's sum, which the first rank adds to.
    const bool is_first = context.ranks == nullptr || context.ranks->is_first();
    if (options_.in.empty() || !is_first) mover_.drop_gradients();
    weight_ = Accumulation(1).weight_of(context);
    // What is there already is right as it is.
    if (!options_.in.empty()) weight_->counted = at::Tensor();
    mover_.add_gradients(Accumulation(1).scaled(inputs[0], *weight_), options_.loss,
                         !context.is_last_update);
  }

  [[nodiscard]] Sharing sharing() const override { return Sharing::kJoined; }
  void begin_join(StepContext& context, Others others, size_t running) override {
    if (context.ranks != nullptr) mover_.begin_sum(movers_of(others), *context.ranks, running);
  }
  void join(StepContext& context, Others others) override {
    mover_.end_search();
    std::vector<std::optional<BatchWeight>> weights = {std::exchange(weight_, std::nullopt)};
    for (const auto& other : others)
      weights.push_back(std::exchange(static_cast<BackwardOp&>(*other).weight_, std::nullopt));
    Accumulation batch(1);
    batch.add(joined_weight(context, weights));
    mover_.take_gradients(movers_of(others), context.ranks);
    batch.correct(mover_.gradients());
  }

 private:
  static std::vector<Mover*> movers_of(Others others) {
    std::vector<Mover*> movers;
    for (const auto& other : others) movers.push_back(&static_cast<BackwardOp&>(*other).mover_);
    return movers;
  }

  BackwardOptions options_;
  Mover mover_;
  std::optional<BatchWeight> weight_;  // of the batch that runs
};

}  // namespace

const Schema<BackwardOptions>& BackwardOptions::schema() {
  using O = BackwardOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model, or of several.", not_empty())
          .field(&O::loss, "loss", "Key of the loss.", not_empty())
          .field(&O::in, "in",
                 "Gradients of the same models that these are added to; left out: these alone. The "
                 "same key as `out`.")
          .field(&O::out, "out", "Key of the gradients.", not_empty())
          .check("in must be the key in `out`: a model's gradients have one key.",
                 [](const O& options) { return options.in.empty() || options.in == options.out; });
  return fields;
}

Choice<NetworkOp> backward(BackwardOptions options) {
  return choose<NetworkOp>("backward", options);
}

void register_backward(Registry<NetworkOp>& ops) {
  ops.add<BackwardOp>("backward", "Finds the gradients of models, for gradient ops and a step.");
}

}  // namespace hearth::network_ops
