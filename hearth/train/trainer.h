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
#include "hearth/core/random.h"
#include "hearth/core/run_log.h"
#include "hearth/data/loader.h"
#include "hearth/train/after_steps.h"
#include "hearth/train/batch_runner.h"
#include "hearth/train/batch_undo.h"
#include "hearth/train/divergence.h"
#include "hearth/train/experiment_graph.h"
#include "hearth/train/left_out.h"
#include "hearth/train/measurements.h"
#include "hearth/train/plan_book.h"
#include "hearth/train/profile_report.h"
#include "hearth/train/rank_meeting.h"
#include "hearth/train/run_keeper.h"
#include "hearth/train/step_guard.h"
#include "hearth/train/step_observer.h"
#include "hearth/train/trace_board.h"

namespace hearth {

class StepGathering;

// How the trainer speaks to whoever started it.
struct TrainerCallbacks {
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_notice;
  const std::atomic<bool>* interrupt = nullptr;  // set: save and return at the next step
  std::function<void()> on_folder_gone = {};     // makes a deleted run folder again
  bool detects_anomalies = false;                // looks at every gradient and parameter
  bool helps_to_save = false;  // another rank keeps the run, and asks this one for its part of it
};

// The run a trainer writes; the callbacks say the rest.
struct TrainerRun {
  RunFolder folder;
  RunOrigin origin;
};

// What traces remember, in memory of their own.
struct TracesState {
  Json values;
  State tensors;
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
  // After so many steps in all.
  struct Halt {
    int64_t step;
    AfterSteps then;
  };
  // Trains until `target_epochs` are done, until someone asks it to stop, or to the halt.
  void fit(int64_t target_epochs, std::optional<Halt> halt = {});
  // One batch of the mode, as the network gets it, in words.
  [[nodiscard]] std::string batch_text(Mode mode);
  // What the metrics come to on a set; nothing when it was interrupted.
  [[nodiscard]] std::optional<Measurements> evaluate(const DataSet& set);
  // Puts on record, durably, that the run goes on with another config than before.
  void note_changes(const std::vector<std::string>& changes, const std::string& digest);
  // Trains for some steps to time them, then puts everything back.
  [[nodiscard]] ProfileReport profile(int64_t steps);

  [[nodiscard]] State state();
  // DataError for a state that does not fit, whatever is wrong with it.
  void restore(const State& state);

  // Trains until so many steps are done, or all are; nothing is written by a trainer without a run.
  // Called again, it goes on.
  void play_to(int64_t step);
  // Stands where `state` was taken, and plays on from there.
  void rewind(const State& state);
  void set_observer(StepObserver* observer) { observer_ = observer; }
  [[nodiscard]] ExperimentGraph& experiment() { return experiment_; }

  // Where the training of a checkpoint stood. DataError when its state says nothing of it.
  [[nodiscard]] static Position position_of(const State& state);
  // Lets evaluations be those of a training that stands there.
  void stand_at(const Position& position);
  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const std::string& stop_reason() const { return stop_reason_; }
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }
  // Of the newest step: "0.1 of net".
  [[nodiscard]] std::string learning_rates_text() const;

  // RunControl.
  [[nodiscard]] const Moment& moment() const override { return moment_; }
  [[nodiscard]] const std::map<std::string, double>& metrics() const override { return metrics_; }
  [[nodiscard]] bool is_better_when_higher(const std::string& metric) const override;
  [[nodiscard]] double seconds() const override {
    return ranks_.is_alone() ? watch_.seconds() : now_.seconds;
  }
  [[nodiscard]] int64_t total_epochs() const override { return position_.target_epochs; }
  [[nodiscard]] double data_wait_share() const override {
    return loader_ ? loader_->wait_share() : 0;
  }
  [[nodiscard]] bool is_diverging() const override { return warned_epoch_ == position_.epoch; }
  void request_stop(const std::string& reason) override { stop_reason_ = reason; }
  void request_evaluation() override { is_evaluation_asked_ = true; }
  void scale_learning_rate(const std::string& model, double factor) override;
  void refuse_batch(Undo undo, const std::string& reason) override;
  void request_pause(const std::string& reason) override;
  void save(const std::string& name) override;
  void remove_saved(const std::string& name) override;
  void record(Event event) override;
  void record_of_process(Event event) override;
  std::string save_table(const std::string& name, RunTable table) override;
  std::string save_image(const std::string& name, const at::Tensor& image) override;
  std::string save_file(const std::string& name, const std::string& ending,
                        std::function<std::string()> content, bool of_process) override;
  std::string save_weights(const std::string& name) override;
  [[nodiscard]] uint64_t append_table(const std::string& name, RunTable table,
                                      uint64_t bytes) override;
  void remove_file(const std::string& path) override;
  [[nodiscard]] std::vector<std::string> metric_names() const override {
    return experiment_.metric_names();
  }
  [[nodiscard]] LostTime lost_time() const override;
  [[nodiscard]] std::vector<std::pair<std::string, double>> learning_rates() const override;
  [[nodiscard]] std::vector<Layer*> layers(const std::string& pattern) override;
  [[nodiscard]] std::vector<NamedTensor> parameters() override;
  [[nodiscard]] State models_state() override;
  void restore_models(const State& state) override;
  bool renew_statistics(const std::string& model, int64_t batches) override;
  void report_not_finite(const std::string& what, double value) override;
  [[nodiscard]] Json digests() override;
  void show(const Progress& progress) override;
  void notice(const std::string& text) const override;

 private:
  void train(int64_t target_epochs);
  void begin(int64_t target_epochs);
  [[nodiscard]] bool is_halted() const { return halt_ && position_.step >= halt_->step; }
  [[nodiscard]] bool is_paused() const { return is_halted() && halt_->then == AfterSteps::kWait; }
  [[nodiscard]] bool is_over() const;  // by train.until
  void end_here();
  void run_epoch();
  void run_batch(const HostBatch& batch);
  // What surrounds what happens now in training, between two batches.
  [[nodiscard]] Scene scene() const;
  // From host memory to metrics; traces are told on the way.
  void run_told(const CompiledPlan& compiled, const HostBatch& batch, StepContext& context,
                Scene& scene);
  void evaluate_if_asked();
  // With other ranks: whether each computes some of an evaluation's batches, which is so where
  // nobody but metrics looks at them. Then that: false when it was interrupted.
  [[nodiscard]] bool shares_evaluation(const DataSet& set, const CompiledPlan& compiled) const;
  [[nodiscard]] bool evaluate_shared(const DataSet& set, const CompiledPlan& compiled,
                                     Loader& loader, StepContext& context);
  // Of its first batch.
  [[nodiscard]] RandomIdentity evaluation_draws(int64_t epoch) const;
  // Now and then, how far something is that takes its time between two steps.
  void show_pass(const std::string& doing, int64_t done, int64_t all);
  // What traces recorded in an evaluation goes into the log once all sets are measured.
  void keep_evaluation();
  // Nothing of an evaluation that was interrupted stays, in traces neither: a resume does it again.
  void forget_evaluation(const TracesState& before);
  [[nodiscard]] TracesState traces_state() const;
  // Where a file of this step lies within the run folder; empty where no run is kept.
  [[nodiscard]] std::string file_path(const std::string& kind, const std::string& name,
                                      const std::string& ending) const;
  // The path, which an event of this kind names.
  std::string save_named_file(const std::string& kind, const std::string& name,
                              const std::string& ending, std::function<std::string()> content);
  void count_failed(const HostBatch& batch, const Scene& scene);
  void finish_epoch();
  void log_step();
  void forget_metrics(const DataSet& set);
  void record(const std::string& kind, const DataSet& set, const Measurements& measured);
  // A batch that was not learned from, and why.
  struct Refusal {
    BatchRefused refused;
    std::string origin;            // where it comes from, when that is known
    std::vector<int64_t> samples;  // those that caused it
  };
  // LibTorch's generators get a seed of their own for every batch, so that dropout and noise do not
  // depend on what ran before.
  void seed_draws(const RandomIdentity& identity);
  void seed_batch();
  // Between two epochs, the one that is done is what counts.
  [[nodiscard]] int64_t epoch_done_last() const {
    return position_.batch > 0 || position_.epoch == 0 ? position_.epoch : position_.epoch - 1;
  }
  // Who stands before the traces in a batch of the mode.
  [[nodiscard]] StepWatch* guarded(StepWatch* traces, Mode mode);
  void refuse_moved();  // what shows only when something has moved
  [[nodiscard]] Refusal explained(const BatchRefused& refused, const HostBatch& batch,
                                  const StepContext& context);
  [[nodiscard]] bool stops(const Refusal& refusal) const;
  void settle(const Refusal& refusal, StepContext& context);
  [[nodiscard]] bool rolls_back() const {
    return on_nan_ == OnNan::kRollBack || traces_.may_undo(Undo::kRollBack);
  }
  void roll_back(const BatchRefused& refused, StepContext& context);
  void keep_first_state();
  // The network's state after so many steps; DataError when nobody kept it.
  [[nodiscard]] State network_after(int64_t step);
  [[nodiscard]] int64_t save_interval() const;  // in steps
  void watch_losses(bool is_logged);
  void watch_metrics(const DataSet& set, const Measurements& measured);
  void watch_parameters();
  void heed(const std::string& what, double value);  // that is no finite number
  [[nodiscard]] NonFinite found_now(const std::string& what, double value) const;
  void warn_once(const NonFinite& found);
  [[noreturn]] void stop_diverged(const NonFinite& found);
  [[nodiscard]] std::string set_aside_last_state() const;  // what is left, for people
  // Before a batch: with several processes, all of them see the same time and the same interrupts.
  void meet();
  // Where steps are made of what came first; null: every step waits for all
  // (trainer_gathering.cpp).
  [[nodiscard]] StepGathering* gathering() const;
  void begin_gathering();
  void finish_gathering();
  void count_gathered();
  void add_left_out(Event& event) const;
  void tell_left_out() const;
  // Whether there is a run: kept by this process, or by another that this one trains with.
  [[nodiscard]] bool is_kept() const { return keeper_ || callbacks_.helps_to_save; }
  // For a checkpoint; all processes take part, and hold the same.
  [[nodiscard]] State state_to_save();
  // The newest checkpoint that the first process found, if it found one.
  void take_up_from_first(const std::function<void(const State&)>& check);
  void save_if_due();
  void save_in_background();
  void save_at_end();
  // What was trained before an error that came between two batches, as data that cannot be read.
  void save_what_is_whole(const std::string& error);
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
  std::optional<Halt> halt_;
  bool is_pause_asked_ = false;
  double saving_seconds_ = 0;
  double pass_shown_at_ = 0;
  std::vector<Event> held_;  // recorded in the evaluation that runs
  StepGuard guard_;
  BatchUndo undo_;
  OnNan on_nan_;
  bool may_undo_;         // a batch may be taken back
  int64_t skipped_ = 0;   // batches that were not learned from
  int64_t in_a_row_ = 0;  // of them, the last ones
  int64_t warned_epoch_ = -1;
  int64_t replaced_ = 0;  // samples of this epoch that others stand in for, or none
  bool is_whole_ = true;  // between two batches, where the state is one that can be gone on from
  StepObserver* observer_ = nullptr;
  RankMeeting ranks_;
  RankNews now_;               // at the last meeting
  bool has_gathered_ = false;  // a step, since then
  LeftOut left_out_;
  Stopwatch watch_;
  double saved_at_ = 0;
  int64_t saved_step_ = -1;
};

}  // namespace hearth
