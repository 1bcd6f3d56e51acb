// Keeps the checkpoint with the best value of a metric.
#include "hearth/train/traces/best_model.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "hearth/config/registry.h"
#include "hearth/train/improvement.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class BestModel : public Trace {
 public:
  using Options = BestModelOptions;
  explicit BestModel(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<std::string> monitors() const override { return {options_.monitor}; }

  [[nodiscard]] std::vector<std::string> saves() const override { return {options_.name}; }

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kEpochEnd}, {Occasion::kRunEnd}};
  }
  void hear(const Happening& happening, RunControl& run) override {
    happening.occasion == Occasion::kEpochEnd ? save_if_better(run) : say_if_never_saved(run);
  }
  void on_save_failed(const std::string& name) override {
    if (name == options_.name) is_saved_ = false;
  }
  void on_save_made_up(const std::string& name) override {
    if (name == options_.name) saved_ = improvement_;
  }

  // Whoever goes on from a checkpoint finds the file of this best one, and no other.
  [[nodiscard]] Json state() const override { return saved_.state(); }
  void restore(const Json& state) override {
    saved_.restore(state);
    improvement_ = saved_;
  }

 private:
  void save_if_better(RunControl& run) {
    if (!improvement_.is_better(run, options_.monitor)) return;
    const Improvement before = std::exchange(saved_, improvement_);
    is_saved_ = true;
    run.save(options_.name);
    if (!is_saved_) saved_ = before;
  }
  void say_if_never_saved(const RunControl& run) const {
    if (improvement_.was_never_finite())
      run.notice(options_.monitor + " was never a finite number, so there is no checkpoint '" +
                 options_.name + "'.");
  }

  Options options_;
  Improvement improvement_;
  Improvement saved_;  // what the file holds
  bool is_saved_ = true;
};

}  // namespace

const Schema<BestModelOptions>& BestModelOptions::schema() {
  using O = BestModelOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::monitor, "monitor", "Metric to watch, with its mode: eval/accuracy.",
                 not_empty())
          .field(&O::name, "name", "Name of the checkpoint it keeps.", not_empty(),
                 checkpoint_name());
  return schema;
}

Choice<Trace> best_model(BestModelOptions options) { return choose<Trace>("best_model", options); }

void register_best_model(Registry<Trace>& traces) {
  traces.add<BestModel>("best_model", "Keeps the checkpoint with the best value of a metric.");
}

}  // namespace hearth::traces
