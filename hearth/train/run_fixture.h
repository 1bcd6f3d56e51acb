// For tests of traces: a run that goes as it is told, tells a trace what it asked for, and notes
// all that is asked of it.
#pragma once

#include <ATen/ops/full.h>

#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "hearth/base/text.h"
#include "hearth/data/source.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
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

  using SpecOf = std::function<Spec(const std::string& key)>;

  explicit FakeRun(std::vector<std::string> metrics, ValueOf value_of = {}, SpecOf spec_of = {})
      : names_(std::move(metrics)), value_of_(std::move(value_of)), spec_of_(std::move(spec_of)) {}

  void begin(Trace& trace) { tell(trace, Occasion::kRunBegin); }
  void end(Trace& trace) { tell(trace, Occasion::kRunEnd); }
  // The next epoch, at whose end every metric has this value.
  void run_epoch(Trace& trace, double value) {
    for (int64_t i = 0; i < kStepsPerEpoch; ++i) run_step(trace);
    finish_epoch(trace, value);
  }
  void run_step(Trace& trace) {
    if (moment_.step % kStepsPerEpoch == 0) tell(trace, Occasion::kEpochBegin);
    tell(trace, Occasion::kBatchBegin);
    (void)(*layer_)(at::full({3, 2}, 0.5 * static_cast<double>(moment_.step)));
    for (const Occasion occasion : {Occasion::kLoss, Occasion::kBackward}) tell(trace, occasion);
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
  void refuse_batch(Undo undo, const std::string& reason) override {
    note((undo == Undo::kSkip ? "skip " : "roll back ") + reason);
  }
  void scale_learning_rate(const std::string& model, double factor) override {
    note("rate " + model + " * " + shortest_number(factor));
  }
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
  std::string save_image(const std::string& name, const at::Tensor& picture) override {
    note("image " + name + " " + std::to_string(picture.sum().item<int64_t>()));
    return "images/" + name;
  }
  // What is the process's own differs from process to process: only that it comes is noted.
  void record_of_process(Event event) override { note("of process " + event.kind); }
  std::string save_file(const std::string& name, const std::string& ending,
                        std::function<std::string()> content, bool of_process) override {
    const std::string text = content();
    note("file " + name + ending + " of " + (of_process ? "process" : std::to_string(text.size())));
    if (!of_process) note(text);
    return "files/" + name + "/" + std::to_string(moment_.step) + ending;
  }
  std::string save_weights(const std::string& name) override {
    note("weights " + name);
    return "weights/" + name + "/" + std::to_string(moment_.step);
  }
  uint64_t append_table(const std::string& name, RunTable table, uint64_t bytes) override {
    note("append to " + name + " after " + std::to_string(bytes) + ": " + join(table.columns, ","));
    for (const std::vector<std::string>& row : table.rows) note(join(row, ","));
    return bytes + 10 * table.rows.size();
  }
  void remove_file(const std::string& path) override { note("remove " + path); }
  void remove_saved(const std::string& name) override { note("remove " + name); }
  void request_pause(const std::string& reason) override { note("pause " + reason); }
  [[nodiscard]] std::vector<std::pair<std::string, double>> learning_rates() const override {
    return {{"net", 1 / static_cast<double>(moment_.step + 1)}};
  }
  [[nodiscard]] std::vector<std::string> metric_names() const override { return names_; }
  // One, which every pattern fits.
  [[nodiscard]] std::vector<Layer*> layers(const std::string&) override { return {layer_.get()}; }
  // One parameter, which grows with every step.
  [[nodiscard]] std::vector<NamedTensor> parameters() override {
    return {{"net/0.weight", at::full({2, 2}, 1 + 0.5 * static_cast<double>(moment_.step))}};
  }
  [[nodiscard]] State models_state() override { return {parameters(), Json::object()}; }
  void restore_models(const State& state) override {
    note("restore " + shortest_number(state.tensors.at(0).second.flatten()[0].item<double>()));
  }
  bool renew_statistics(const std::string& model, int64_t batches) override {
    note("renew " + model + " by " + std::to_string(batches));
    return true;
  }
  void report_not_finite(const std::string& what, double value) override {
    note("not finite: " + what + " " + shortest_number(value));
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
  static std::shared_ptr<Layer> norm() {
    std::shared_ptr<Layer> layer = built(layers::batch_norm1d(), float_spec({2}));
    layer->set_training(false);
    return layer;
  }
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
    std::vector<Spec> own_specs;
    std::vector<const Spec*> specs;
    std::vector<int64_t> samples(kRows);
    std::iota(samples.begin(), samples.end(), step * kRows);
    const std::vector<NamedTensor> gradients = {
        {"0.weight", at::full({2, 2}, 0.25 * static_cast<double>(step))},
        {"0.bias", at::full({4}, 1.5)}};
    if (has_batch(occasion)) {
      for (const std::string& key : trace.reads()) {
        values.push_back(value_of_(key, step));
        own_specs.push_back(spec_of_ ? spec_of_(key) : Spec());
      }
      for (const Spec& spec : own_specs) specs.push_back(&spec);
      happening.values = values;
      happening.specs = specs;
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
  SpecOf spec_of_;
  std::shared_ptr<Layer> layer_ = norm();
  FakeSource source_;
  Moment moment_{0, 0, {kStepsPerEpoch, kStepsPerEpoch* kEpochs, 1}};
  double seconds_ = 0;
  std::map<std::string, double> metrics_;
  mutable std::string log_;
};

}  // namespace hearth
