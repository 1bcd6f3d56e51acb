// Moves the parameters of models by gradients that have a key, once every `accumulate` batches.
#include "hearth/network/ops/step.h"

#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/accumulation.h"
#include "hearth/network/gradient_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class StepOp : public NetworkOp {
 public:
  using Options = StepOptions;
  using TimedOptions = Timed<StepOptions>;
  explicit StepOp(TimedOptions options)
      : timed_(std::move(options)), options_(timed_.fixed()), window_(options_.accumulate) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.gradients}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] bool takes_gradients() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] int64_t batches_per_step() const override { return options_.accumulate; }
  [[nodiscard]] std::vector<std::string> losses() const override { return {}; }
  [[nodiscard]] std::vector<std::string> model_names() const override {
    return mover_.model_names();
  }
  [[nodiscard]] Sharing sharing() const override { return Sharing::kOnce; }

  void bind(ModelSet& models) override {
    const std::vector<Model*>& known = models.gradients.find(options_.gradients).models;
    std::vector<Model*> moved;
    for (const std::string& name : options_.model) {
      Model& model = models.find(name);
      if (std::find(known.begin(), known.end(), &model) == known.end())
        throw ConfigError(quote(options_.gradients) + " are not the gradients of the model " +
                          quote(name) + ". Name it in the backward too.");
      moved.push_back(&model);
    }
    mover_ = Mover(moved.empty() ? known : moved, options_.optimizer, "step");
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override {
    check_gradients({options_.gradients, inputs[0]});
    return {};
  }

  void run(StepContext& context, std::span<const at::Tensor>, std::span<at::Tensor>) override {
    if (options_.accumulate > 1 && !gather(window_.weight_of(context))) return;
    move(context);
  }
  void leave_out(StepContext& context, Others) override {
    if (options_.accumulate == 1) return;
    mover_.drop_gradients();
    if (gather({})) move(context);
  }

  // Sums of a step that still waits for batches.
  [[nodiscard]] State state() const override {
    State state;
    window_.write(state);
    const std::vector<NamedTensor> parameters = mover_.parameters();
    for (size_t i = 0; i < sums_.size(); ++i)
      if (sums_[i].defined())
        state.tensors.emplace_back("gradient/" + parameters[i].first,
                                   sums_[i].reshape(parameters[i].second.sizes()));
    return state;
  }

  void restore(const State& state) override {
    window_.read(state);
    sums_.clear();
    const std::vector<NamedTensor> parameters = mover_.parameters();
    for (const auto& [name, sum] : state.part("gradient").tensors)
      for (size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].first == name) {
          sums_.resize(parameters.size());
          sums_[i] = sum.detach().clone();
        }
  }

 private:
  void move(StepContext& context) {
    mover_.show_gradients(context.watch);
    mover_.step(context.moment, timed_.at(context.moment).clip_norm,
                {{}, context.crew, context.ranks});
    mover_.drop_gradients();
    context.has_updated = true;
  }

  // Adds the batch's gradients up; with the last batch, their mean takes their place. False while
  // there is nothing to step by.
  bool gather(const BatchWeight& weight) {
    const c10::AutoGradMode no_grad(false);
    const std::vector<NamedTensor> handles = mover_.handles();
    const bool is_last = window_.add(weight);
    sums_.resize(handles.size());
    for (size_t i = 0; i < handles.size(); ++i) {
      const at::Tensor& parameter = handles[i].second;
      add_to(sums_[i], weight, parameter);
      parameter.mutable_grad() = at::Tensor();
      if (is_last && sums_[i].defined())
        parameter.mutable_grad() = window_.mean_of(laid_out_like(sums_[i], parameter));
    }
    if (!is_last) return false;
    const bool has_samples = window_.has_samples();
    sums_.clear();
    window_.begin();
    return has_samples;
  }

  static void add_to(at::Tensor& sum, const BatchWeight& weight, const at::Tensor& parameter) {
    if (!parameter.grad().defined()) return;
    const at::Tensor gradient =
        Accumulation::weighted(laid_out_like(parameter.grad(), parameter), weight);
    sum = sum.defined() ? laid_out_like(sum, parameter).add(gradient) : gradient;
  }

  TimedOptions timed_;
  const StepOptions options_;  // what does not move with time
  Mover mover_;
  std::vector<at::Tensor> sums_;  // in the order of the mover's parameters
  Accumulation window_;
};

}  // namespace

const Schema<StepOptions>& StepOptions::schema() {
  using O = StepOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::gradients, "gradients", "Key of the gradients, which a backward writes.",
                 not_empty())
          .field(&O::model, "model", "Which of their models it moves; left out: all of them.")
          .field(&O::optimizer, "optimizer",
                 "The one of the model's `optimizers` that makes the step; left out: all of them.")
          .field(
              &O::accumulate, "accumulate",
              "Batches whose mean gradient makes one step: the mean of what gradient ops made of "
              "each batch's, weighted by the batches' samples, or by what counts where a loss "
              "leaves out or weighs some.",
              at_least(1))
          .field(&O::clip_norm, "clip_norm",
                 "Largest norm of all gradients together, after accumulation: larger ones are "
                 "scaled down to it; 0 for any.",
                 at_least(0));
  return fields;
}

Choice<NetworkOp> step(StepOptions options) { return choose<NetworkOp>("step", options); }

void register_step(Registry<NetworkOp>& ops) {
  ops.add<StepOp>("step", "Moves the parameters of models by gradients that a backward wrote.");
}

}  // namespace hearth::network_ops
