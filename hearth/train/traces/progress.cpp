// Tells how far training is: steps, rate, time left, metrics.
#include "hearth/train/traces/progress.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/seen_samples.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class ProgressTrace : public Trace {
 public:
  using Options = ProgressOptions;
  explicit ProgressTrace(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kRunBegin}, {Occasion::kBatchEnd}, {Occasion::kEpochEnd}};
  }
  [[nodiscard]] std::vector<std::string> monitors() const override { return options_.metrics; }
  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kRunBegin) return begin(run);
    const bool is_epoch_end = happening.occasion == Occasion::kEpochEnd;
    if (!is_epoch_end && run.seconds() - shown_at_ < options_.seconds) return;
    if (!is_epoch_end) shown_at_ = run.seconds();
    show(run, is_epoch_end);
  }

  [[nodiscard]] Json state() const override { return {{"best", best_}}; }
  void restore(const Json& state) override {
    best_ = state.value("best", std::map<std::string, double>());
  }

 private:
  void begin(const RunControl& run) {
    first_step_ = run.moment().step;
    begun_at_ = run.seconds();
    shown_at_ = begun_at_;
  }
  [[nodiscard]] bool is_wanted(const std::string& name) const {
    return options_.metrics.empty() || name.starts_with("step/") ||
           std::ranges::find(options_.metrics, name) != options_.metrics.end();
  }
  // The names of the metrics that are now as good as they ever were.
  std::set<std::string> find_best(const RunControl& run) {
    std::set<std::string> names;
    for (const auto& [name, value] : run.metrics()) {
      if (name.starts_with("step/") || !std::isfinite(value) || run.is_diverging()) continue;
      const auto [best, is_first] = best_.try_emplace(name, value);
      const bool is_better =
          run.is_better_when_higher(name) ? value >= best->second : value <= best->second;
      if (!is_better) continue;
      best->second = value;
      names.insert(name);
    }
    return names;
  }
  void show(RunControl& run, bool is_epoch_end) {
    const Moment& moment = run.moment();
    const double seconds = std::max(run.seconds() - begun_at_, 1e-9);
    Progress progress;
    progress.moment = moment;
    progress.total_epochs = run.total_epochs();
    progress.steps_per_second = static_cast<double>(moment.step - first_step_) / seconds;
    progress.samples_per_second = static_cast<double>(samples_seen(moment.step, moment.length) -
                                                      samples_seen(first_step_, moment.length)) /
                                  seconds;
    const auto left = static_cast<double>(moment.length.total_steps - moment.step);
    progress.seconds_left = progress.steps_per_second > 0 ? left / progress.steps_per_second : 0;
    progress.is_epoch_end = is_epoch_end;
    progress.data_wait_share = run.data_wait_share();
    for (const auto& [name, value] : run.metrics())
      if (is_wanted(name)) progress.metrics.emplace(name, value);
    if (is_epoch_end) progress.best = find_best(run);
    run.show(progress);
  }

  Options options_;
  int64_t first_step_ = 0;
  double begun_at_ = 0;
  double shown_at_ = 0;
  std::map<std::string, double> best_;  // values at the ends of epochs
};

}  // namespace

const Schema<ProgressOptions>& ProgressOptions::schema() {
  using O = ProgressOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::seconds, "seconds", "Seconds between two lines within an epoch.", above(0))
          .field(&O::metrics, "metrics",
                 "What to show after an epoch, such as eval/accuracy. Left out: all metrics.");
  return schema;
}

Choice<Trace> progress(ProgressOptions options) { return choose<Trace>("progress", options); }

void register_progress(Registry<Trace>& traces) {
  traces.add<ProgressTrace>("progress",
                            "Tells how far training is: steps, rate, time left, metrics.");
}

}  // namespace hearth::traces
