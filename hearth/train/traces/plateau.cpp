// Lowers learning rates when a metric no longer improves. Schedules are functions of time alone;
// what a metric asks for is a factor on top of them, which the optimizers keep.
#include "hearth/train/traces/plateau.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/plateau_rule.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Plateau : public Trace {
 public:
  using Options = PlateauOptions;
  explicit Plateau(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return {options_.monitor}; }
  [[nodiscard]] std::vector<std::string> models() const override {
    return options_.model.empty() ? std::vector<std::string>() : std::vector{options_.model};
  }

  void hear(const Happening&, RunControl& run) override {
    const auto found = run.metrics().find(options_.monitor);
    if (found == run.metrics().end()) return;  // not measured in every epoch
    const double factor = rule_.next(
        run.is_diverging() ? std::numeric_limits<double>::quiet_NaN() : found->second, terms(run));
    if (factor == 1) return;
    run.scale_learning_rate(options_.model, factor);
    run.record({"plateau", 0, 0, 0, {{"factor", factor}, {"product", rule_.product()}}, {}});
    run.notice(options_.monitor + " has not improved for " + std::to_string(options_.patience) +
               (options_.patience == 1 ? " epoch" : " epochs") + best_text() + ": learning rates" +
               (options_.model.empty() ? "" : " of " + options_.model) + " are multiplied by " +
               shortest_number(factor) + ".");
  }

  [[nodiscard]] Json state() const override { return rule_.state(); }
  void restore(const Json& state) override { rule_.restore(state); }

 private:
  [[nodiscard]] PlateauTerms terms(const RunControl& run) const {
    return {.patience = options_.patience,
            .min_change = options_.min_change,
            .is_relative = options_.relative,
            .cooldown = options_.cooldown,
            .factor = options_.factor,
            .floor = options_.floor,
            .is_better_when_higher = run.is_better_when_higher(options_.monitor)};
  }
  [[nodiscard]] std::string best_text() const {
    return rule_.has_best() ? ", the best was " + shortest_number(rule_.best()) : "";
  }

  Options options_;
  PlateauRule rule_;
};

}  // namespace

const Schema<PlateauOptions>& PlateauOptions::schema() {
  using O = PlateauOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/loss.", not_empty())
          .field(&O::factor, "factor",
                 "What learning rates are multiplied by, beside what their schedules say.",
                 above(0), below(1))
          .field(&O::patience, "patience", "Epochs to wait without improvement.", at_least(1))
          .field(&O::min_change, "min_change", "Smallest change that counts.", at_least(0))
          .field(&O::relative, "relative",
                 "Whether `min_change` is a share of the best value, or the change itself.")
          .field(&O::cooldown, "cooldown",
                 "Epochs after each fall in which a lack of improvement is not counted.",
                 at_least(0))
          .field(&O::floor, "floor", "What all falls together multiply by at the least.",
                 at_least(0), below(1))
          .field(&O::model, "model", "Whose learning rates fall; left out: those of all models.");
  return schema;
}

Choice<Trace> plateau(PlateauOptions options) { return choose<Trace>("plateau", options); }

void register_plateau(Registry<Trace>& traces) {
  traces.add<Plateau>("plateau", "Lowers learning rates when a metric no longer improves.");
}

}  // namespace hearth::traces
