// Writes learning rates into the run log: as often as it is asked to, and only when they have
// changed.
#include "hearth/train/traces/lr_monitor.h"

#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class LrMonitor : public Trace {
 public:
  using Options = LrMonitorOptions;
  explicit LrMonitor(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kStep, .every = options_.interval}};
  }

  void hear(const Happening&, RunControl& run) override {
    auto rates = run.learning_rates();
    if (rates == last_) return;
    last_ = rates;
    run.record({"learning_rates", 0, 0, 0, std::move(rates), {}});
  }

  [[nodiscard]] Json state() const override { return {{"last", last_}}; }
  void restore(const Json& state) override {
    last_ = state.at("last").get<std::vector<std::pair<std::string, double>>>();
  }

 private:
  Options options_;
  std::vector<std::pair<std::string, double>> last_;
};

}  // namespace

const Schema<LrMonitorOptions>& LrMonitorOptions::schema() {
  using O = LrMonitorOptions;
  static const auto schema = Schema<O>().field(&O::interval, "interval",
                                               "How often to look, in steps: 10st, 1ep.", above(0));
  return schema;
}

Choice<Trace> lr_monitor(LrMonitorOptions options) { return choose<Trace>("lr_monitor", options); }

void register_lr_monitor(Registry<Trace>& registry) {
  registry.add<LrMonitor>(
      "lr_monitor", "Logs the learning rates of all optimizers and groups, where they change.");
}

}  // namespace hearth::traces
