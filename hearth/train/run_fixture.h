// For tests of traces: a run that goes as it is told, and notes all that is asked of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/base/text.h"
#include "hearth/train/trace.h"

namespace hearth {

class FakeRun : public RunControl {
 public:
  static constexpr int64_t kStepsPerEpoch = 4;
  static constexpr int64_t kEpochs = 8;
  static constexpr double kSecondsPerStep = 0.25;  // no rate is rounded

  explicit FakeRun(std::vector<std::string> metrics) : names_(std::move(metrics)) {}

  // The next epoch, at whose end every metric has this value.
  void run_epoch(Trace& trace, double value) {
    for (int64_t i = 0; i < kStepsPerEpoch; ++i) {
      ++moment_.step;
      seconds_ += kSecondsPerStep;
      trace.on_step(*this);
    }
    for (const std::string& name : names_) metrics_[name] = value;
    trace.on_epoch(*this);
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
  void save(const std::string& name) override { note("save " + name); }
  void notice(const std::string& text) const override { note("notice " + text); }
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

  std::vector<std::string> names_;
  Moment moment_{0, 0, {kStepsPerEpoch, kStepsPerEpoch* kEpochs, 1}};
  double seconds_ = 0;
  std::map<std::string, double> metrics_;
  mutable std::string log_;
};

}  // namespace hearth
