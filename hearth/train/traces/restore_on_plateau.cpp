// Goes back to the best weights when a metric no longer improves, with a smaller learning rate. The
// best models and optimizers are a copy in memory and in each checkpoint: a file of their own might
// be newer than the checkpoint that a run is resumed from.
#include "hearth/train/traces/restore_on_plateau.h"

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/improvement.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class RestoreOnPlateau : public Trace {
 public:
  using Options = RestoreOnPlateauOptions;
  explicit RestoreOnPlateau(Options options)
      : options_(std::move(options)),
        watched_{options_.monitor, options_.with},
        improvement_(options_.min_change) {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return watched_.names(); }

  void hear(const Happening& happening, RunControl& run) override {
    if (!watched_.value(run)) return;  // not measured in every epoch
    if (improvement_.is_better(run, watched_)) {
      waited_ = 0;
      since_best_ = 1;
      best_ = run.models_state();
      best_step_ = happening.step;
      return;
    }
    if (++waited_ < options_.patience || !improvement_.has_best()) return;
    waited_ = 0;
    go_back(run);
  }

  [[nodiscard]] Json state() const override {
    return {{"waited", waited_},       {"since_best", since_best_},
            {"lr_factor", lr_factor_}, {"improvement", improvement_.state()},
            {"step", best_step_},      {"values", best_.values}};
  }
  void restore(const Json& state) override {
    waited_ = state.at("waited").get<int64_t>();
    since_best_ = state.at("since_best").get<double>();
    lr_factor_ = state.at("lr_factor").get<double>();
    improvement_.restore(state.at("improvement"));
    best_step_ = state.at("step").get<int64_t>();
    best_.values = state.at("values");
  }
  [[nodiscard]] std::vector<NamedTensor> tensors() const override { return best_.tensors; }
  void restore_tensors(const State& state) override { best_.tensors = state.tensors; }

 private:
  void go_back(RunControl& run) {
    run.restore_models(best_);  // with the learning rates they had
    if (lr_factor_ * options_.lr_factor >= options_.min_lr_factor) {
      lr_factor_ *= options_.lr_factor;
      since_best_ *= options_.lr_factor;
    }
    if (since_best_ != 1) run.scale_learning_rate("", since_best_);
    run.record({"restore_on_plateau",
                0,
                0,
                0,
                {{"best", improvement_.best()},
                 {"to_step", static_cast<double>(best_step_)},
                 {"lr_factor", lr_factor_}},
                {}});
    run.notice(watched_.text() + " has not improved for " + std::to_string(options_.patience) +
               " epochs: back to the weights of step " + std::to_string(best_step_) +
               ", where it was " + shortest_number(improvement_.best()) +
               ", with learning rates at " + shortest_number(lr_factor_) + " of their schedules.");
  }

  Options options_;
  Watched watched_;
  Improvement improvement_;
  int64_t waited_ = 0;
  int64_t best_step_ = 0;
  double since_best_ = 1;  // what learning rates were multiplied by since the best
  double lr_factor_ = 1;   // in all
  State best_;
};

}  // namespace

const Schema<RestoreOnPlateauOptions>& RestoreOnPlateauOptions::schema() {
  using O = RestoreOnPlateauOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/loss.", not_empty())
          .field(&O::with, "with",
                 "Further metrics that count along: each, times its number, is added to the first.")
          .field(&O::patience, "patience", "Epochs to wait without improvement.", at_least(1))
          .field(&O::min_change, "min_change", "Smallest change that counts.", at_least(0))
          .field(&O::lr_factor, "lr_factor",
                 "What learning rates are multiplied by each time; 1 leaves them.", above(0),
                 at_most(1))
          .field(&O::min_lr_factor, "min_lr_factor",
                 "Learning rates get no smaller than this share of their schedules.", above(0),
                 at_most(1));
  return schema;
}

Choice<Trace> restore_on_plateau(RestoreOnPlateauOptions options) {
  return choose<Trace>("restore_on_plateau", options);
}

void register_restore_on_plateau(Registry<Trace>& registry) {
  registry.add<RestoreOnPlateau>(
      "restore_on_plateau",
      "Goes back to the best weights when a metric stalls, with a smaller learning rate.");
}

}  // namespace hearth::traces
