// Ends training once metrics are as good as they need to be.
#include "hearth/train/traces/target.h"

#include <algorithm>

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Target : public Trace {
 public:
  using Options = TargetOptions;
  explicit Target(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> monitors() const override {
    std::vector<std::string> names;
    for (const auto& [metric, value] : options_.reach) names.push_back(metric);
    return names;
  }

  void hear(const Happening&, RunControl& run) override {
    std::vector<std::string> reached;
    for (const auto& [metric, value] : options_.reach) {
      if (!is_reached(run, metric, value)) return;
      reached.push_back(metric + " is " + shortest_number(run.metrics().at(metric)));
    }
    run.request_stop(join(reached, ", ") +
                     (reached.size() == 1 ? ", its target." : ", the targets."));
  }

 private:
  // False for a value that is no number, and for one that was not measured.
  static bool is_reached(const RunControl& run, const std::string& metric, double value) {
    const auto found = run.metrics().find(metric);
    if (found == run.metrics().end() || run.is_diverging()) return false;
    return run.is_better_when_higher(metric) ? found->second >= value : found->second <= value;
  }

  Options options_;
};

}  // namespace

const Schema<TargetOptions>& TargetOptions::schema() {
  using O = TargetOptions;
  static const auto schema = Schema<O>().field(
      &O::reach, "reach",
      "Metrics with their modes and the values they must reach, all in one epoch: `{eval/accuracy: "
      "0.99}`.",
      required(), not_empty());
  return schema;
}

Choice<Trace> target(TargetOptions options) { return choose<Trace>("target", options); }

void register_target(Registry<Trace>& traces) {
  traces.add<Target>("target", "Ends training once metrics are as good as they need to be.");
}

}  // namespace hearth::traces
