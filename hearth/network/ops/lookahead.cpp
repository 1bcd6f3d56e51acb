// Lookahead (Zhang and others, 2019): after some steps, the parameters go back to a place on the
// way they came, from which the next steps start.
#include "hearth/network/ops/lookahead.h"

#include <ATen/ops/empty_like.h>
#include <c10/core/GradMode.h>

#include "hearth/config/registry.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/mover.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"

namespace hearth::network_ops {
namespace {

class LookaheadOp : public NetworkOp {
 public:
  using Options = LookaheadOptions;
  using TimedOptions = Timed<LookaheadOptions>;
  explicit LookaheadOp(TimedOptions options) : timed_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return {}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] Sharing sharing() const override { return Sharing::kOnce; }
  [[nodiscard]] std::vector<std::string> model_names() const override {
    return {timed_.fixed().model};
  }
  void bind(ModelSet& models) override {
    mover_ = Mover({&models.find(timed_.fixed().model)}, "", "lookahead");
  }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>&) override {
    mover_.check_built();
    return {};
  }

  // The slow weights start where the first step does.
  void begin_step() override {
    if (!slow_.empty()) return;
    for (const auto& [name, parameter] : mover_.handles())
      slow_.push_back(parameter.detach().clone());
  }

  void run(StepContext& context, std::span<const at::Tensor>, std::span<at::Tensor>) override {
    if (!context.has_updated) return;
    if (++steps_ < timed_.fixed().steps) return;
    steps_ = 0;
    const c10::AutoGradMode no_grad(false);
    const std::vector<NamedTensor> handles = mover_.handles();
    const double rate = timed_.at(context.moment).rate;
    for (size_t i = 0; i < handles.size(); ++i) {
      const at::Tensor& parameter = handles[i].second;
      slow_[i] = laid_out_like(slow_[i], parameter);
      slow_[i].add_(parameter.detach().sub(slow_[i]), rate);
      parameter.copy_(slow_[i]);
    }
  }

  [[nodiscard]] State state() const override {
    State state;
    state.values["steps"] = steps_;
    if (slow_.empty()) return state;
    const std::vector<NamedTensor> parameters = mover_.parameters();
    for (size_t i = 0; i < parameters.size(); ++i)
      state.tensors.emplace_back("slow/" + parameters[i].first,
                                 slow_[i].reshape(parameters[i].second.sizes()));
    return state;
  }

  void restore(const State& state) override {
    const c10::AutoGradMode no_grad(false);
    slow_.clear();
    steps_ = state.values.value("steps", int64_t{0});
    const State saved = state.part("slow");
    if (saved.tensors.empty()) return;
    for (const auto& [name, parameter] : mover_.parameters())
      slow_.push_back(at::empty_like(parameter.detach()).copy_(saved.tensor(name)));
  }

 private:
  TimedOptions timed_;
  Mover mover_;
  std::vector<at::Tensor> slow_;  // one for each parameter, once a step began
  int64_t steps_ = 0;             // since the parameters last went back
};

}  // namespace

const Schema<LookaheadOptions>& LookaheadOptions::schema() {
  using O = LookaheadOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::model, "model", "Name of the model; its update comes before.", not_empty())
          .field(&O::steps, "steps", "Steps after which the parameters go back.", at_least(1))
          .field(&O::rate, "rate", "Share of the way that stays.", above(0), at_most(1));
  return fields;
}

Choice<NetworkOp> lookahead(LookaheadOptions options) {
  return choose<NetworkOp>("lookahead", options);
}

void register_lookahead(Registry<NetworkOp>& ops) {
  ops.add<LookaheadOp>(
      "lookahead",
      "Lets parameters go back a share of their way every few steps, after an update.");
}

}  // namespace hearth::network_ops
