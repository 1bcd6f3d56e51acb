// Writes where the time of some steps went. On a device that works on by itself, the times are
// those of the host: nothing is waited for.
#include "hearth/train/traces/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/chrome_trace.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

// Rows of the picture.
constexpr const char* kSteps = "steps and evaluations";
constexpr const char* kBatches = "batches of evaluations";
constexpr const char* kParts = "parts of a batch";
constexpr const char* kBetween = "between steps";
constexpr double kShortest = 1e-6;  // seconds; less is not drawn

class Timeline : public Trace {
 public:
  using Options = TimelineOptions;
  explicit Timeline(Options options) : options_(std::move(options)) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    std::vector<Interest> all = {{Occasion::kRunEnd}};
    for (const Occasion on :
         {Occasion::kBatchBegin, Occasion::kLoss, Occasion::kBackward, Occasion::kBatchEnd,
          Occasion::kEvaluationBegin, Occasion::kEvaluationEnd, Occasion::kEpochEnd})
      all.push_back({.on = on,
                     .modes = {Mode::kTrain, Mode::kEval},
                     .first = options_.first,
                     .last = options_.first + options_.steps});
    return all;
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string&) const override {
    return {"files/" + options_.out + "/step-<N>.json"};
  }

  void hear(const Happening& happening, RunControl& run) override {
    if (is_done_ || happening.step < options_.first) return;
    const double now = run.seconds();
    const bool is_training = happening.mode == Mode::kTrain;
    switch (happening.occasion) {
      case Occasion::kBatchBegin:
        if (is_training) add_gap(now, run);
        begin(now, happening);
        break;
      case Occasion::kLoss:
        mark("forward", now);
        break;
      case Occasion::kBackward:
        mark("backward", now);
        break;
      case Occasion::kBatchEnd:
        mark(is_training ? "update" : "metrics", now);
        trace_.add({batch_name_, is_training ? kSteps : kBatches, batch_began_, now});
        last_end_ = now;
        lost_ = run.lost_time();
        break;
      case Occasion::kEvaluationBegin:
        evaluation_began_ = now;
        break;
      case Occasion::kEvaluationEnd:
        trace_.add({"evaluation of " + happening.set, kSteps, evaluation_began_, now});
        last_end_ = now;
        break;
      default:
        break;
    }
    const bool is_over = happening.step >= options_.first + options_.steps;
    if (is_over || happening.occasion == Occasion::kRunEnd) write(run);
  }

  // A later process has a clock of its own, and begins with what is left of the steps.
  [[nodiscard]] Json state() const override { return {{"done", is_done_}}; }
  void restore(const Json& state) override { is_done_ = state.at("done").get<bool>(); }

 private:
  // Between two batches: first a checkpoint, if one is due, then the wait for data.
  void add_gap(double now, const RunControl& run) {
    if (last_end_ < 0) return;
    const LostTime lost = run.lost_time();
    const double saving = lost.saving - lost_.saving;
    const double waiting = std::min(lost.waiting - lost_.waiting, now - last_end_);
    if (saving > kShortest) trace_.add({"saving", kBetween, last_end_, last_end_ + saving});
    if (waiting > kShortest) trace_.add({"waiting for data", kBetween, now - waiting, now});
  }
  void begin(double now, const Happening& happening) {
    batch_name_ = happening.mode == Mode::kTrain ? "step " + std::to_string(happening.step)
                                                 : happening.set + " batch";
    batch_began_ = marked_at_ = now;
  }
  // What went on since the last mark.
  void mark(const std::string& what, double now) {
    trace_.add({what, kParts, marked_at_, now});
    marked_at_ = now;
  }
  void write(RunControl& run) {
    is_done_ = true;
    if (trace_.is_empty()) return;
    (void)run.save_file(
        options_.out, ".json", [kept = std::move(trace_)] { return kept.text(); }, true);
  }

  Options options_;
  ChromeTrace trace_;
  std::string batch_name_;
  double batch_began_ = 0;
  double marked_at_ = 0;
  double evaluation_began_ = 0;
  double last_end_ = -1;
  LostTime lost_;
  bool is_done_ = false;
};

}  // namespace

const Schema<TimelineOptions>& TimelineOptions::schema() {
  using O = TimelineOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::first, "first", "The step it begins with, from 1.", at_least(1))
          .field(&O::steps, "steps", "How many steps, and what lies between them.", at_least(1),
                 at_most(100000))
          .field(&O::out, "out", "Name of the folder below `files` in the run folder.", not_empty(),
                 file_name());
  return schema;
}

Choice<Trace> timeline(TimelineOptions options) { return choose<Trace>("timeline", options); }

void register_timeline(Registry<Trace>& registry) {
  registry.add<Timeline>("timeline",
                         "Writes where the time of some steps went: a Chrome trace of steps, "
                         "evaluation, saving, waiting.");
}

}  // namespace hearth::traces
