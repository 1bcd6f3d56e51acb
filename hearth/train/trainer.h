// The training loop: plans, batches, metrics, traces, checkpoints, and exact resumption.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hearth/base/clock.h"
#include "hearth/core/run_log.h"
#include "hearth/data/loader.h"
#include "hearth/train/batch_runner.h"
#include "hearth/train/divergence.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/measurements.h"
#include "hearth/train/plan_book.h"
#include "hearth/train/profile_report.h"
#include "hearth/train/run_keeper.h"
#include "hearth/train/trace_board.h"

namespace hearth {

// How the trainer speaks to whoever started it.
struct TrainerCallbacks {
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_notice;
  const std::atomic<bool>* interrupt = nullptr;  // set: save and return at the next step
  std::function<void()> on_folder_gone = {};     // makes a deleted run folder again
};

// The run a trainer writes; the callbacks say the rest.
struct TrainerRun {
  RunFolder folder;
  RunOrigin origin;
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
  Trainer(ExperimentGraph& experiment, std::optional<TrainerRun> run, TrainerCallbacks callbacks);

  // Takes up the newest checkpoint that verifies and that `check` does not refuse, if there is one.
  void resume(const std::function<void(const State&)>& check = {});
  // One step of every distinct plan, on copied state.
  void warm_up();
  // Trains until `target_epochs` are done, or until someone asks it to stop.
  void fit(int64_t target_epochs);
  // What the metrics come to on a set; nothing when it was interrupted.
  [[nodiscard]] std::optional<Measurements> evaluate(const DataSet& set);
  // Puts on record, durably, that the run goes on with another config than before.
  void note_changes(const std::vector<std::string>& changes, const std::string& digest);
  // Trains for some steps to time them, then puts everything back.
  [[nodiscard]] ProfileReport profile(int64_t steps);

  [[nodiscard]] State state();
  // DataError for a state that does not fit, whatever is wrong with it.
  void restore(const State& state);

  // Where the training of a checkpoint stood. DataError when its state says nothing of it.
  [[nodiscard]] static Position position_of(const State& state);
  // Lets evaluations be those of a training that stands there.
  void stand_at(const Position& position);
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

  // RunControl.
  [[nodiscard]] const Moment& moment() const override { return moment_; }
  [[nodiscard]] const std::map<std::string, double>& metrics() const override { return metrics_; }
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const override;
  [[nodiscard]] double seconds() const override { return watch_.seconds(); }
  [[nodiscard]] int64_t total_epochs() const override { return position_.target_epochs; }
  [[nodiscard]] bool is_diverging() const override { return warned_epoch_ == position_.epoch; }
  void request_stop(const std::string& reason) override { stop_reason_ = reason; }
  void request_evaluation() override { is_evaluation_asked_ = true; }
  void save(const std::string& name) override;
  void record(Event event) override;
  std::string save_table(const std::string& name, RunTable table) override;
  std::string save_image(const std::string& name, const at::Tensor& image) override;
  [[nodiscard]] std::vector<Layer*> layers(const std::string& pattern) override;
  void show(const Progress& progress) override;
  void notice(const std::string& text) const override;

 private:
  void train(int64_t target_epochs);
  void begin(int64_t target_epochs);
  void run_epoch();
  void run_batch(const HostBatch& batch);
  // What surrounds what happens now in training, between two batches.
  [[nodiscard]] Scene scene() const;
  // From host memory to metrics; traces are told on the way.
  void run_told(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context,
                Scene& scene);
  void evaluate_if_asked();
  // What traces recorded in an evaluation goes into the log once all sets are measured.
  void keep_evaluation();
  // Nothing of an evaluation that was interrupted stays, in traces neither: a resume does it again.
  void forget_evaluation(const Json& traces_before);
  // The path within the run folder, which an event of this kind names; nothing without a run.
  std::string save_file(const std::string& kind, const std::string& name, const std::string& ending,
                        std::function<std::string()> content);
  void count_failed(const HostBatch& batch, const Scene& scene);
  void finish_epoch();
  void log_step();
  void forget_metrics(const DataSet& set);
  void record(const std::string& kind, const DataSet& set, const Measurements& measured);
  void watch_losses(bool is_logged);
  void watch_metrics(const DataSet& set, const Measurements& measured);
  void watch_parameters();
  void heed(const std::string& what, double value);  // that is no finite number
  [[noreturn]] void stop_diverged(const NonFinite& found);
  [[nodiscard]] std::string set_aside_last_state() const;  // what is left, for people
  [[nodiscard]] std::string learning_rates() const;
  void save_if_due();
  void save_in_background();
  void save_at_end();
  void pay_owed();
  void look_after_folder();
  void restore_values(const State& state);
  void write_history(const std::string& kind, Json details);
  void enter_epoch();
  // Lets the plan in force be that of the moment.
  void set_plan(const Moment& moment);
  [[nodiscard]] PlanBook& book();
  [[nodiscard]] ProfileReport measure(int64_t steps, double peak_gigaflops);
  int64_t run_batches(int64_t batches, TimeProfile* profile);  // how many samples they had
  void try_plan(Mode mode, const CompiledPlan& compiled, const Moment& moment);
  [[nodiscard]] bool is_save_due() const;
  [[nodiscard]] bool is_interrupted() const;
  void make_keeper();
  void fix_length(int64_t epochs);

  ExperimentGraph& experiment_;
  std::optional<TrainerRun> run_;
  TrainerCallbacks callbacks_;
  std::unique_ptr<RunKeeper> keeper_;  // of the run, once it is begun or resumed
  BatchRunner runner_;
  TraceBoard traces_;
  std::unique_ptr<Loader> loader_;
  Json data_use_;  // workers at the end of the training, and the share of its time it waited
  std::unique_ptr<PlanBook> book_;               // of the length that is fixed now
  std::shared_ptr<const CompiledPlan> current_;  // the plan in force
  std::vector<BoundOp> ops_;                     // every op of the epoch, on or off
  std::vector<int> losses_;                      // of the plan in force: what its updates read
  std::set<std::string> measured_;               // metrics that had a batch in this epoch
  Position position_;
  Moment moment_;
  std::map<std::string, double> metrics_;
  std::string stop_reason_;
  bool was_interrupted_ = false;
  bool is_fitting_ = false;
  bool is_evaluation_asked_ = false;
  std::vector<Event> held_;  // recorded in the evaluation that runs
  OnNan on_nan_;
  int64_t warned_epoch_ = -1;
  int64_t replaced_ = 0;  // samples of this epoch that others stand in for, or none
  Stopwatch watch_;
  double saved_at_ = 0;
  int64_t saved_step_ = -1;
};

}  // namespace hearth
