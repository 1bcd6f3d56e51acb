// The training loop: plans, batches, metrics, traces, checkpoints, and exact resumption.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/core/run_log.h"
#include "hearth/data/loader.h"
#include "hearth/train/batch_runner.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/experiment.h"
#include "hearth/train/profile_report.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/trace.h"

namespace hearth {

// How the trainer speaks to whoever started it.
struct TrainerCalls {
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_notice;
  const std::atomic<bool>* interrupt = nullptr;  // set: save and return at the next step
};

// Between two batches: all the trainer itself needs to go on.
struct Position {
  int64_t epoch = 0;
  int64_t batch = 0;  // of this epoch, done so far
  int64_t step = 0;
  int64_t target_epochs = 0;
};

class Trainer : public RunControl {
 public:
  Trainer(Experiment& experiment, std::optional<RunFolder> folder, TrainerCalls calls);
  ~Trainer() override;

  // Takes up the newest checkpoint that verifies, if there is one.
  void resume();
  // One step of every distinct plan, on copied state.
  void warm_up();
  // Trains until `target_epochs` are done, or until someone asks it to stop.
  void fit(int64_t target_epochs);
  [[nodiscard]] std::map<std::string, double> evaluate(Mode mode);
  // Trains for some steps to time them, then puts everything back.
  [[nodiscard]] ProfileReport profile(int64_t steps);

  [[nodiscard]] State state();
  void restore(const State& state);

  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

  // RunControl.
  [[nodiscard]] const Moment& moment() const override { return moment_; }
  [[nodiscard]] const std::map<std::string, double>& metrics() const override { return metrics_; }
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const override;
  [[nodiscard]] double seconds() const override { return watch_.seconds(); }
  [[nodiscard]] int64_t total_epochs() const override { return position_.target_epochs; }
  void request_stop(const std::string& reason) override { stop_reason_ = reason; }
  void save(const std::string& name) override;
  void show(const Progress& progress) override;

 private:
  void begin(int64_t target_epochs);
  void run_epoch();
  void run_batch(const HostBatch& batch);
  void count_replaced(const HostBatch& batch);
  void finish_epoch();
  void log_step();
  void record(const std::string& kind, Mode mode);
  void save_if_due();
  void save_in_background();
  void wait_for_save();
  void save_failed(const std::string& which, const DataError& error);
  void save_at_end();
  void write_history(const std::string& kind, Json details);
  void notice(const std::string& text) const;
  void set_plan(int64_t epoch);
  [[nodiscard]] ProfileReport measure(int64_t steps, double peak_gigaflops);
  int64_t run_batches(int64_t batches, CallProfile* profile);  // how many samples they had
  void try_plan(Mode mode, const CompiledPlan& compiled, int64_t epoch);
  [[nodiscard]] bool is_save_due() const;
  [[nodiscard]] bool is_interrupted() const;
  [[nodiscard]] std::unique_ptr<Loader> make_loader(Mode mode, int64_t epochs);

  Experiment& experiment_;
  std::optional<RunFolder> folder_;
  TrainerCalls calls_;
  BatchRunner runner_;
  std::vector<std::unique_ptr<Trace>> traces_;
  std::unique_ptr<RunLog> log_;
  std::unique_ptr<RunLog> history_;
  std::unique_ptr<Loader> loader_;
  CompiledPlan current_;
  Position position_;
  Moment moment_;
  std::map<std::string, double> metrics_;
  std::string stop_reason_;
  bool was_interrupted_ = false;
  int64_t replaced_ = 0;  // samples of this epoch that others stand in for
  Stopwatch watch_;
  double saved_at_ = 0;
  int64_t saved_step_ = -1;
  std::future<void> pending_save_;
};

}  // namespace hearth
