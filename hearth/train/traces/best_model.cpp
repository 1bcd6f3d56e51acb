// Keeps the checkpoint with the best value of a metric, under its name; of the best few, each is
// also kept under the name of its step, so that doing an epoch again after a resume writes the same
// files.
#include "hearth/train/traces/best_model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "hearth/config/registry.h"
#include "hearth/train/improvement.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class BestModel : public Trace {
 public:
  using Options = BestModelOptions;
  explicit BestModel(Options options)
      : options_(std::move(options)), watched_{options_.monitor, options_.with} {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return watched_.names(); }

  [[nodiscard]] std::vector<std::string> saves() const override { return {options_.name}; }

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEpochEnd}, {Occasion::kRunEnd}};
  }
  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kRunEnd) return say_if_never_saved(run);
    if (options_.keep > 1) keep_if_among_best(happening.step, run);
    save_if_better(run);
  }

  [[nodiscard]] Json state() const override {
    Json state = improvement_.state();
    for (const Kept& kept : kept_) state["kept"].push_back({kept.value, kept.step});
    return state;
  }
  void restore(const Json& state) override {
    improvement_.restore(state);
    kept_.clear();
    for (const Json& kept : state.value("kept", Json::array()))
      kept_.push_back({kept.at(0).get<double>(), kept.at(1).get<int64_t>()});
  }

 private:
  struct Kept {
    double value = 0;
    int64_t step = 0;
  };

  // The state says what is kept before the checkpoint, which holds it, is saved.
  void keep_if_among_best(int64_t step, RunControl& run) {
    const std::optional<double> value = watched_.value(run);
    if (!value || !std::isfinite(*value) || run.is_diverging()) return;
    const auto place = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
      return watched_.is_better(*value, kept.value, run);
    });
    if (place == kept_.end() && static_cast<int64_t>(kept_.size()) >= options_.keep) return;
    kept_.insert(place, {*value, step});
    std::optional<Kept> dropped;
    if (static_cast<int64_t>(kept_.size()) > options_.keep) {
      dropped = kept_.back();
      kept_.pop_back();
    }
    run.save(name_at(step));
    if (dropped) run.remove_saved(name_at(dropped->step));
  }
  [[nodiscard]] std::string name_at(int64_t step) const {
    return options_.name + "-step-" + std::to_string(step);
  }

  void save_if_better(RunControl& run) {
    if (improvement_.is_better(run, watched_)) run.save(options_.name);
  }
  void say_if_never_saved(const RunControl& run) const {
    if (improvement_.was_never_finite())
      run.notice(watched_.text() + " was never a finite number, so there is no checkpoint '" +
                 options_.name + "'.");
  }

  Options options_;
  Watched watched_;
  std::vector<Kept> kept_;  // the best first
  Improvement improvement_;
};

}  // namespace

const Schema<BestModelOptions>& BestModelOptions::schema() {
  using O = BestModelOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/accuracy.",
                 not_empty())
          .field(&O::with, "with",
                 "Further metrics that count along: each, times its number, is added to the first, "
                 "which says whether higher or lower is better.")
          .field(&O::name, "name", "Name of the checkpoint it keeps.", not_empty(),
                 checkpoint_name())
          .field(
              &O::keep, "keep",
              "How many of the best to keep. Above 1 each is a checkpoint <name>-step-<N> beside "
              "that of the best.",
              at_least(1), at_most(1000));
  return schema;
}

Choice<Trace> best_model(BestModelOptions options) { return choose<Trace>("best_model", options); }

void register_best_model(Registry<Trace>& traces) {
  traces.add<BestModel>("best_model",
                        "Keeps the checkpoint with the best value of a metric, or the best few.");
}

}  // namespace hearth::traces
