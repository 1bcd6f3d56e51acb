// Tells how far training is: steps, rate, time left, metrics.
#include "hearth/train/traces/progress.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class ProgressTrace : public Trace {
 public:
  using Options = ProgressOptions;
  explicit ProgressTrace(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kRunBegin}, {Occasion::kBatchEnd}, {Occasion::kEpochEnd}};
  }
  void hear(const Happening& happening, RunControl& run) override {
    if (happening.occasion == Occasion::kRunBegin) return begin(run);
    const bool is_epoch_end = happening.occasion == Occasion::kEpochEnd;
    if (!is_epoch_end && run.seconds() - shown_at_ < options_.seconds) return;
    if (!is_epoch_end) shown_at_ = run.seconds();
    show(run, is_epoch_end);
  }

 private:
  void begin(const RunControl& run) {
    first_step_ = run.moment().step;
    begun_at_ = run.seconds();
    shown_at_ = begun_at_;
  }
  void show(RunControl& run, bool is_epoch_end) const {
    const Moment& moment = run.moment();
    const double seconds = std::max(run.seconds() - begun_at_, 1e-9);
    Progress progress;
    progress.moment = moment;
    progress.total_epochs = run.total_epochs();
    progress.steps_per_second = static_cast<double>(moment.step - first_step_) / seconds;
    progress.samples_per_second =
        progress.steps_per_second * static_cast<double>(moment.length.batch_size);
    const auto left = static_cast<double>(moment.length.total_steps - moment.step);
    progress.seconds_left = progress.steps_per_second > 0 ? left / progress.steps_per_second : 0;
    progress.is_epoch_end = is_epoch_end;
    progress.metrics = run.metrics();
    run.show(progress);
  }

  Options options_;
  int64_t first_step_ = 0;
  double begun_at_ = 0;
  double shown_at_ = 0;
};

}  // namespace

const Schema<ProgressOptions>& ProgressOptions::schema() {
  using O = ProgressOptions;
  static const auto schema = Schema<O>().field(
      &O::seconds, "seconds", "Seconds between two lines within an epoch.", above(0));
  return schema;
}

Choice<Trace> progress(ProgressOptions options) { return choose<Trace>("progress", options); }

void register_progress(Registry<Trace>& traces) {
  traces.add<ProgressTrace>("progress",
                            "Tells how far training is: steps, rate, time left, metrics.");
}

}  // namespace hearth::traces
