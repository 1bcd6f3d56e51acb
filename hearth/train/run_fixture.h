// For tests of traces: a run that goes as it is told, tells a trace what it asked for, and notes
// all that is asked of it.
#pragma once

#include <ATen/ops/full.h>

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "hearth/base/text.h"
#include "hearth/data/source.h"
#include "hearth/train/trace.h"

namespace hearth {

// Samples have numbers and nothing else.
class FakeSource : public Source {
 public:
  [[nodiscard]] std::vector<KeySpec> keys() const override { return {}; }
  [[nodiscard]] int64_t size() const override { return 1000; }
  void read(int64_t, std::span<const Cell>) const override {}
  [[nodiscard]] std::string fingerprint() const override { return "fake"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return "sample" + std::to_string(index);
  }
};

class FakeRun : public RunControl {
 public:
  static constexpr int64_t kStepsPerEpoch = 4;
  static constexpr int64_t kEpochs = 8;
  static constexpr int64_t kRows = 6;              // of a batch
  static constexpr double kSecondsPerStep = 0.25;  // no rate is rounded
  // A batch of a key that the trace reads, in this step.
  using ValueOf = std::function<at::Tensor(const std::string& key, int64_t step)>;

  explicit FakeRun(std::vector<std::string> metrics, ValueOf value_of = {})
      : names_(std::move(metrics)), value_of_(std::move(value_of)) {}

  void begin(Trace& trace) { tell(trace, Occasion::kRunBegin); }
  void end(Trace& trace) { tell(trace, Occasion::kRunEnd); }
  // The next epoch, at whose end every metric has this value.
  void run_epoch(Trace& trace, double value) {
    for (int64_t i = 0; i < kStepsPerEpoch; ++i) run_step(trace);
    finish_epoch(trace, value);
  }
  void run_step(Trace& trace) {
    if (moment_.step % kStepsPerEpoch == 0) tell(trace, Occasion::kEpochBegin);
    for (const Occasion occasion : {Occasion::kBatchBegin, Occasion::kLoss, Occasion::kBackward})
      tell(trace, occasion);
    ++moment_.step;
    seconds_ += kSecondsPerStep;
    for (const Occasion occasion : {Occasion::kStep, Occasion::kBatchEnd}) tell(trace, occasion);
  }
  void finish_epoch(Trace& trace, double value) {
    for (const Occasion occasion : {Occasion::kEvaluationBegin, Occasion::kBatchBegin,
                                    Occasion::kLoss, Occasion::kBatchEnd, Occasion::kEvaluationEnd})
      tell(trace, occasion, Mode::kEval);
    for (const std::string& name : names_) metrics_[name] = value;
    tell(trace, Occasion::kEpochEnd);
    ++moment_.epoch;
  }
  // As a resumed process sees it: its clock starts anew.
  void restart_clock() { seconds_ = 0; }
  // "save best; stop eval/loss has not ...; "
  [[nodiscard]] const std::string& log() const { return log_; }

  [[nodiscard]] const Moment& moment() const override { return moment_; }
  [[nodiscard]] const std::map<std::string, double>& metrics() const override { return metrics_; }
  [[nodiscard]] bool is_better_when_higher(const std::string&) const override { return false; }
  [[nodiscard]] double seconds() const override { return seconds_; }
  [[nodiscard]] int64_t total_epochs() const override { return kEpochs; }
  void request_stop(const std::string& reason) override { note("stop " + reason); }
  void request_evaluation() override { note("evaluate"); }
  void save(const std::string& name) override { note("save " + name); }
  void notice(const std::string& text) const override { note("notice " + text); }
  void record(Event event) override {
    std::string text = "record " + event.kind;
    for (const auto& [name, value] : event.values)
      text += " " + name + "=" + shortest_number(value);
    note(text + (event.details.is_null() ? "" : " " + event.details.dump()));
  }
  std::string save_table(const std::string& name, RunTable table) override {
    note("table " + name + ": " + join(table.columns, ","));
    for (const std::vector<std::string>& row : table.rows) note(join(row, ","));
    return "tables/" + name;
  }
  std::string save_image(const std::string& name, const at::Tensor&) override {
    note("image " + name);
    return "images/" + name;
  }
  void show(const Progress& progress) override {
    std::string text = "show " + std::to_string(progress.moment.step) + " of epoch " +
                       std::to_string(progress.moment.epoch) +
                       (progress.is_epoch_end ? ", which ends" : "");
    for (const double number :
         {progress.steps_per_second, progress.samples_per_second, progress.seconds_left})
      text += " " + shortest_number(number);
    for (const auto& [name, value] : progress.metrics)
      text += " " + name + "=" + shortest_number(value);
    note(text);
  }

 private:
  void note(const std::string& text) const { log_ += text + "; "; }

  void tell(Trace& trace, Occasion occasion, Mode mode = Mode::kTrain) {
    const bool is_done = occasion >= Occasion::kStep || mode != Mode::kTrain;
    const int64_t step = has_batch(occasion) && !is_done ? moment_.step + 1 : moment_.step;
    for (const Interest& interest : trace.interests()) {
      const bool is_of_mode = modes_of(occasion).is_empty() || interest.usual_modes().has(mode);
      if (interest.on == occasion && is_of_mode && interest.is_due(mode, step, moment_))
        tell_now(trace, occasion, mode, step);
    }
  }

  void tell_now(Trace& trace, Occasion occasion, Mode mode, int64_t step) {
    Happening happening;
    happening.occasion = occasion;
    happening.mode = mode;
    happening.set = name(mode);
    happening.moment = moment_;
    happening.step = step;
    happening.source = &source_;
    std::vector<at::Tensor> values;
    std::vector<int64_t> samples(kRows);
    std::iota(samples.begin(), samples.end(), step * kRows);
    const std::vector<NamedTensor> gradients = {
        {"0.weight", at::full({2, 2}, 0.25 * static_cast<double>(step))},
        {"0.bias", at::full({4}, 1.5)}};
    if (has_batch(occasion)) {
      for (const std::string& key : trace.reads()) values.push_back(value_of_(key, step));
      happening.values = values;
      happening.samples = samples;
    }
    if (occasion == Occasion::kBackward) {
      happening.model = "net";
      happening.gradients = gradients;
    }
    trace.hear(happening, *this);
  }

  std::vector<std::string> names_;
  ValueOf value_of_;
  FakeSource source_;
  Moment moment_{0, 0, {kStepsPerEpoch, kStepsPerEpoch* kEpochs, 1}};
  double seconds_ = 0;
  std::map<std::string, double> metrics_;
  mutable std::string log_;
};

}  // namespace hearth
