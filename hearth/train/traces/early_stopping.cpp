// Stops training when a metric no longer improves.
#include "hearth/train/traces/early_stopping.h"

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/improvement.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class EarlyStopping : public Trace {
 public:
  using Options = EarlyStoppingOptions;
  explicit EarlyStopping(Options options)
      : options_(std::move(options)), improvement_(options_.min_change) {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return {options_.monitor}; }

  void hear(const Happening&, RunControl& run) override {
    if (!run.metrics().contains(options_.monitor)) return;  // not measured in every epoch
    waited_ = improvement_.is_better(run, options_.monitor) ? 0 : waited_ + 1;
    if (waited_ < options_.patience) return;
    run.request_stop(options_.monitor + " has not improved for " + std::to_string(waited_) +
                     " epochs; " + best_text() + ".");
  }

  [[nodiscard]] Json state() const override {
    return {{"waited", waited_}, {"improvement", improvement_.state()}};
  }
  void restore(const Json& state) override {
    waited_ = state.at("waited").get<int64_t>();
    improvement_.restore(state.at("improvement"));
  }

 private:
  [[nodiscard]] std::string best_text() const {
    if (improvement_.has_best()) return "the best was " + shortest_number(improvement_.best());
    return improvement_.was_never_finite() ? "it was never a finite number"
                                           : "it was never measured";
  }

  Options options_;
  Improvement improvement_;
  int64_t waited_ = 0;
};

}  // namespace

const Schema<EarlyStoppingOptions>& EarlyStoppingOptions::schema() {
  using O = EarlyStoppingOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/loss.", not_empty())
          .field(&O::patience, "patience", "Epochs to wait without improvement.", at_least(1))
          .field(&O::min_change, "min_change", "Smallest change that counts.", at_least(0));
  return schema;
}

Choice<Trace> early_stopping(EarlyStoppingOptions options) {
  return choose<Trace>("early_stopping", options);
}

void register_early_stopping(Registry<Trace>& traces) {
  traces.add<EarlyStopping>("early_stopping", "Stops training when a metric no longer improves.");
}

}  // namespace hearth::traces
