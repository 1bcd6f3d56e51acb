// Keeps the checkpoint with the best value of a metric.
#include "hearth/train/traces/best_model.h"

#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/improvement.h"
#include "hearth/train/trace.h"

namespace hearth {
namespace {

class BestModel : public Trace {
 public:
  using Options = BestModelOptions;
  explicit BestModel(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return {options_.monitor}; }

  void on_epoch(RunControl& run) override {
    if (improvement_.is_better(run, options_.monitor)) run.save(options_.name);
  }

  [[nodiscard]] Json state() const override { return improvement_.state(); }
  void restore(const Json& state) override { improvement_.restore(state); }

 private:
  Options options_;
  Improvement improvement_;
};

}  // namespace

const Schema<BestModelOptions>& BestModelOptions::schema() {
  using O = BestModelOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/accuracy.",
                 not_empty())
          .field(&O::name, "name", "Name of the checkpoint it keeps.", not_empty());
  return schema;
}

Choice<Trace> best_model(BestModelOptions options) { return choose<Trace>("best_model", options); }

void register_best_model(Registry<Trace>& traces) {
  traces.add<BestModel>("best_model", "Keeps the checkpoint with the best value of a metric.");
}

}  // namespace hearth
