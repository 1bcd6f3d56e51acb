// Says how fast the training is, every so often. The clock is the process's own, so that the
// numbers stand in its history and not in the log, which equal runs share.
#include "hearth/train/traces/throughput.h"

#include "hearth/config/registry.h"
#include "hearth/train/seen_samples.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Throughput : public Trace {
 public:
  using Options = ThroughputOptions;
  explicit Throughput(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{Occasion::kRunBegin}, {.on = Occasion::kStep, .every = options_.interval}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    const Mark now = {run.seconds(), happening.step, run.lost_time()};
    const double seconds = now.seconds - last_.seconds;
    if (happening.occasion == Occasion::kStep && seconds > 0) {
      const double steps = static_cast<double>(now.step - last_.step) / seconds;
      const TrainingLength& length = run.moment().length;
      const auto samples =
          static_cast<double>(samples_seen(now.step, length) - samples_seen(last_.step, length));
      run.record_of_process({"throughput",
                             0,
                             0,
                             0,
                             {{"steps_per_second", steps},
                              {"samples_per_second", samples / seconds},
                              {"waiting_share", (now.lost.waiting - last_.lost.waiting) / seconds},
                              {"saving_share", (now.lost.saving - last_.lost.saving) / seconds}},
                             {}});
    }
    last_ = now;
  }

 private:
  struct Mark {
    double seconds = 0;
    int64_t step = 0;
    LostTime lost = {};
  };
  Options options_;
  Mark last_;  // of this process, so that no checkpoint has it
};

}  // namespace

const Schema<ThroughputOptions>& ThroughputOptions::schema() {
  using O = ThroughputOptions;
  static const auto schema =
      Schema<O>().field(&O::interval, "interval", "How often, in steps: 100st, 1ep.", above(0));
  return schema;
}

Choice<Trace> throughput(ThroughputOptions options) { return choose<Trace>("throughput", options); }

void register_throughput(Registry<Trace>& registry) {
  registry.add<Throughput>("throughput",
                           "Records steps and samples a second, and the shares of waiting for data "
                           "and saving, in the history.");
}

}  // namespace hearth::traces
