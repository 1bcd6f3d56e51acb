// The public face of training: fit, evaluate, predict.
#include "hearth/train/estimator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/data/clean_writer.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/kernels/threads/compute_threads.h"
#include "hearth/launch/run_note.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/load_weights.h"
#include "hearth/train/machine.h"
#include "hearth/train/model_export.h"
#include "hearth/train/model_summary.h"
#include "hearth/train/opened_sources.h"
#include "hearth/train/plan_check.h"
#include "hearth/train/plugins.h"
#include "hearth/train/predict_files.h"
#include "hearth/train/prediction_engine.h"
#include "hearth/train/rank_agreement.h"
#include "hearth/train/rank_settings.h"
#include "hearth/train/recorded_steps.h"
#include "hearth/train/run_commands.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/run_origin.h"
#include "hearth/train/run_weights.h"
#include "hearth/train/status_text.h"
#include "hearth/train/trainer.h"

namespace hearth {
class Estimator::Implementation {
 public:
  Implementation(Node effective, EstimatorSettings settings, std::optional<RunFolder> folder)
      : effective_(std::move(effective)),
        settings_(std::move(settings)),
        folder_(std::move(folder)),
        helps_(follow_first(settings_)),
        options_(options_on_this_machine(effective_, settings_, folder_.has_value())),
        experiment_(options_, effective_, settings_.group) {}

  void open_data() { experiment_.open_sources(); }
  // A model that was opened needs no training data to be measured.
  void open_data_for(Mode mode) {
    return is_opened_ ? experiment_.open_sources_for(mode) : experiment_.open_sources();
  }
  // Every plan once, so that every fault of the graph shows before any data is read.
  void compile_all() { warnings_ = check_run(experiment_).warnings; }
  // What `weights` of the models say, for a training that begins.
  void load_first_weights() {
    ModelSet& models = network().models();
    for (const auto& line : load_wanted_weights(options_.models, effective_, models)) notice(line);
  }
  void tell_warnings() const {
    if (!settings_.on_warning) return;
    for (const std::string& warning : warnings_) settings_.on_warning(warning);
  }
  // Of a checkpoint, or of exported weights. Specs that do not belong to them are named as such,
  // before a network is made of them that cannot be.
  void restore_weights(const State& state) {
    is_opened_ = true;
    check_origin(state);
    experiment_.use_specs(folder_->specs());
    (void)experiment_.compiled(Mode::kInfer, {}, options_.predict.out);
    if (!folder_->is_model()) stood_at_ = Trainer::position_of(state);
    const State network = folder_->is_model() ? state : state.part("network");
    for (const auto& model : experiment_.network().models().all())
      model->restore_weights(network.part("models/" + model->name()));
  }
  // Measured by a trainer of its own: what traces remember of others must not count.
  void use_checkpoint(const std::string& checkpoint) {
    if (!is_opened_) throw InternalError("only a model that was opened takes other weights.");
    use_weights(*folder_, checkpoint, [&](const State& state) { restore_weights(state); });
    trainer_.reset();
  }
  // `changes` are those that were asked for; those of the folder's files come to them.
  void resume(std::vector<std::string> changes) {
    changes_ = std::move(changes);
    origin_ = new_origin();
    // What nothing changed stays as its files have it, whatever defaults came since.
    if (changes_.empty())
      origin_ = {folder_->config(), folder_->has_specs() ? folder_->specs() : origin_.specs};
    make_trainer();
    trainer_->resume([this](const State& state) { check_origin(state); });
    is_begun_ = true;
    for (const std::string& change : changes_) notice("changed from here on: " + change);
    const bool is_changed = !changes_.empty();
    // Until `fit` is called a second time, the run's own end is the goal.
    const int64_t target = trainer_->position().target_epochs;
    const int64_t done = trainer_->position().epoch;
    goal_ = is_changed || target == 0 ? options_.train.epochs : target;
    if (!is_changed && !trainer_->stop_reason().empty()) goal_ = done;
    if (*goal_ < done)
      throw ConfigError("train.epochs is " + std::to_string(*goal_) + ", but the run has done " +
                        std::to_string(done) + " epochs. Nothing was changed; ask for more than " +
                        std::to_string(done) + ".");
  }

  // What it was at the start is nowhere but in the config.
  void rerun(int64_t step) {
    replay_steps_of(folder_->log(), network());
    network().show_loss_inputs();  // sample by sample
    make_trainer();
    const auto found = CheckpointFolder(folder_->checkpoints())
                           .newest(
                               [this](const State& state) {
                                 check_origin(state);
                                 trainer_->restore(state);
                               },
                               step);
    if (!found) return load_first_weights();
    for (const std::string& reason : found->skipped) notice("skipped a checkpoint: " + reason);
  }
  [[nodiscard]] Trainer& trainer() {
    make_trainer();
    return *trainer_;
  }

  struct StepsToDo {
    int64_t count;
    AfterSteps then;
  };
  // Who trains with this process must not wait for it when it cannot go on.
  Report fit(std::optional<int64_t> epochs = {}, std::optional<StepsToDo> steps = {}) try {
    return fit_alone(epochs, steps);
  } catch (const std::exception& error) {
    if (settings_.group) settings_.group->fail(error.what());
    throw;
  }
  Report fit_alone(std::optional<int64_t> epochs, std::optional<StepsToDo> steps) {
    const ThreadWatch threads;
    prepare_run();
    memory_cache().restart_peak();
    const Stopwatch watch;
    if (epochs) goal_ = *epochs;
    const int64_t goal = std::exchange(goal_, std::nullopt).value_or(next_goal());
    const int64_t done = trainer_->position().step;
    if (goal > trainer_->position().epoch) {
      if (!changes_.empty() && settings_.keeps_run) keep_changes();
      steps ? trainer_->fit(goal, Trainer::Halt{done + steps->count, steps->then}) : train_to(goal);
    }
    Report report = make_report(watch.seconds());
    if (is_memory_cache_installed()) {
      report.peak_memory_bytes = memory_cache().numbers().peak_bytes;
      memory_cache().trim();
    }
    report.metrics = trainer_->metrics();
    std::erase_if(report.metrics, [](const auto& item) { return item.first.starts_with("step/"); });
    if (settings_.after_training && !steps) settings_.after_training(report);
    return report;
  }

  [[nodiscard]] std::string status() const {
    return status_text(options_, experiment_.length(), trainer_.get(),
                       folder_ ? folder_->path() : fs::path());
  }

  [[nodiscard]] std::string show_batch(Mode mode) {
    fit_ops();
    return trial_trainer().batch_text(mode);
  }

  void scale_learning_rate(double factor, const std::string& model) {
    if (!(factor > 0) || !std::isfinite(factor))
      throw ConfigError("a learning rate is multiplied by a finite number above 0, not by " +
                        shortest_number(factor) + ".");
    make_trainer();
    trainer_->scale_learning_rate(model, factor);
  }

  // By a trainer of its own, so that the run's stays where it is.
  ProfileReport profile(int64_t steps) {
    const ThreadWatch threads;
    fit_ops();
    return trial_trainer().profile(steps);
  }

  Report evaluate(Mode mode) {
    experiment_.require_source(mode);
    fit_ops();
    make_trainer();
    if (is_opened_) trainer_->stand_at(stood_at_.value_or(end_of_training()));
    const ThreadWatch threads;
    const Stopwatch watch;
    Report report = make_report(0);
    for (const DataSet& set : experiment_.sets(mode)) {
      const auto measured = trainer_->evaluate(set);
      report.was_interrupted = !measured;
      if (!measured) break;
      const std::string prefix = set.text() + "/";
      for (const auto& [metric, value] : measured->numbers) report.metrics[prefix + metric] = value;
      for (const auto& [metric, table] : measured->tables) report.tables[prefix + metric] = table;
    }
    report.seconds = watch.seconds();
    if (settings_.group) report.sent_bytes = settings_.group->sent_bytes();
    return report;
  }

  [[nodiscard]] PredictionEngine& engine() {
    if (engine_) return *engine_;
    fit_ops();
    engine_ = std::make_unique<PredictionEngine>(experiment_);
    return *engine_;
  }

  [[nodiscard]] bool can_predict() {
    try {
      return !engine().inputs().empty();
    } catch (const GraphError&) {
      return false;
    }
  }

  std::vector<Prediction> predict(const std::vector<PredictInput>& inputs, int64_t top) {
    const ThreadWatch threads;
    return engine().predict(samples_of_files(inputs, engine()), {.top = top});
  }

  std::vector<Prediction> predict_samples(const std::vector<int64_t>& samples, int64_t top) {
    const ThreadWatch threads;
    return engine().predict_data(samples, {.top = top});
  }

  void export_model(const fs::path& target) { export_model_to(target, effective_, experiment_); }

  [[nodiscard]] std::string digest(bool with_optimizer) {
    return digest_of(experiment_.network(), with_optimizer);
  }

  [[nodiscard]] Network& network() { return experiment_.network(); }

  std::vector<std::string> export_torch_weights(const fs::path& target) {
    return export_torch_weights_to(target, experiment_.network().models());
  }

 private:
  // The folder of a run that begins, and its trainer.
  void prepare_run() {
    const bool is_first = !is_begun_;
    if (!network().is_replayed()) check_total(options_, effective_, settings_.group.get());
    fit_ops();
    if (is_first) origin_ = new_origin();
    // Before the run has a folder: what fails here leaves none.
    if (options_.train.warm_up && is_at_start()) trial_trainer().warm_up();
    if (is_first && settings_.keeps_run) begin_run();
    make_trainer();
    is_begun_ = true;
  }

  void train_to(int64_t goal) {
    const RunCommands commands(options_.train.commands, folder_ ? folder_->path().string() : "",
                               settings_.allows_commands, settings_.on_notice);
    commands.run_before();
    if (settings_.before_training)
      settings_.before_training(folder_ ? folder_->path().string() : "");
    try {
      trainer_->fit(goal);
    } catch (const std::exception&) {
      commands.run_after("failed");
      throw;
    }
    commands.run_after(trainer_->was_interrupted() ? "interrupted" : "done");
  }

  // What ops leave to the training data they learn once, before anything runs. The config has it
  // from then on, and with it the run's folder, its checkpoints and exported models.
  void fit_ops() {
    if (experiment_.ops_to_fit().empty()) return;
    experiment_.fit_ops(settings_.on_notice);
    experiment_.write_fitted(effective_);
  }

  [[nodiscard]] bool is_at_start() const { return !trainer_ || trainer_->position().step == 0; }

  // One that writes nothing and leaves everything as it was.
  [[nodiscard]] Trainer trial_trainer() {
    return {experiment_, std::nullopt, {{}, settings_.on_notice, settings_.interrupt, {}}};
  }

  // Weights that were exported know no more than their config.
  [[nodiscard]] Position end_of_training() const {
    const int64_t epochs = options_.train.epochs;
    return {epochs, 0, experiment_.length().total_steps, epochs};
  }

  // To the end if it was interrupted, else as many epochs again.
  [[nodiscard]] int64_t next_goal() const {
    const Position& position = trainer_->position();
    if (position.epoch < position.target_epochs && trainer_->stop_reason().empty())
      return position.target_epochs;
    return position.epoch + options_.train.epochs;
  }

  void begin_run() {
    folder_ = RunFolder::create(options_.folder, options_.name);
    write_run_files();
    note_run(folder_->path().string());
    trainer_.reset();  // one that only measured keeps no run
  }

  void write_run_files() {
    folder_->write_specs(origin_.specs);
    folder_->write_machine(machine_facts(settings_.group ? settings_.group->size() : 1));
    folder_->write_model(model_record(experiment_));
    keep_clean_records(origin_.config, folder_->path(), settings_.on_notice);
    folder_->write_config(origin_.config, settings_.as_written);
  }

  void make_trainer() {
    if (trainer_) return;
    if (folder_ && settings_.keeps_run) lock_ = std::make_unique<FolderLock>(folder_->path());
    std::optional<TrainerRun> run;
    if (folder_ && settings_.keeps_run) run = TrainerRun{*folder_, origin_};
    trainer_ = std::make_unique<Trainer>(
        experiment_, std::move(run),
        TrainerCallbacks{settings_.on_progress, settings_.on_notice, settings_.interrupt,
                         [this] { remake_folder(); }, settings_.detects_anomalies, helps_});
  }

  [[nodiscard]] RunOrigin new_origin() {
    if (settings_.group) agree_on_data(*settings_.group, opened_sources(experiment_));
    experiment_.learn_backgrounds();
    return {effective_, experiment_.specs()};
  }

  void check_origin(const State& state) {
    const std::vector<std::string> found = unexpected_changes(*folder_, state);
    if (found.empty()) return;
    if (!settings_.accepts_changes) refuse_changes(*folder_, found);
    changes_.insert(changes_.end(), found.begin(), found.end());
  }

  // By the first process alone. The history first: who finds the new config must find it wanted.
  void keep_changes() {
    experiment_.learn_backgrounds();  // with data that all processes have agreed on already
    origin_ = {effective_, experiment_.specs()};
    trainer_->note_changes(std::exchange(changes_, {}), origin_.digest());
    folder_->write_specs(origin_.specs);
    folder_->write_config(origin_.config, "");
  }

  void notice(const std::string& text) const {
    if (settings_.on_notice) settings_.on_notice(text);
  }

  void remake_folder() {
    make_folder(folder_->path());
    lock_ = std::make_unique<FolderLock>(folder_->path());
    write_run_files();
  }

  [[nodiscard]] Report make_report(double seconds) const {
    Report report;
    report.epochs = trainer_->position().epoch;
    report.steps = trainer_->position().step;
    report.seconds = seconds;
    report.run_folder = folder_ ? folder_->path().string() : "";
    report.stop_reason = trainer_->stop_reason();
    report.was_interrupted = trainer_->was_interrupted();
    if (settings_.group) report.sent_bytes = settings_.group->sent_bytes();
    return report;
  }

  Node effective_;
  EstimatorSettings settings_;
  std::optional<RunFolder> folder_;
  bool helps_;  // another process keeps the run
  ExperimentOptions options_;
  ExperimentGraph experiment_;
  std::unique_ptr<PredictionEngine> engine_;  // made when it is first asked for
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<Trainer> trainer_;
  bool is_begun_ = false;
  bool is_opened_ = false;            // to use its weights, not to train on
  std::optional<Position> stood_at_;  // where the training was when these were saved
  std::optional<int64_t> goal_;
  RunOrigin origin_;                  // what the run's files and checkpoints say
  std::vector<std::string> changes_;  // of a resumed run's config, not yet in its folder
  std::vector<std::string> warnings_;
};

Estimator::Estimator(const ExperimentOptions& options, EstimatorSettings settings)
    : Estimator(effective_config(options), std::move(settings)) {}
Estimator::Estimator(const Node& effective, EstimatorSettings settings)
    : implementation_(std::make_unique<Implementation>(
          effective, with_group(effective, std::move(settings)), std::nullopt)) {
  implementation_->open_data();
  implementation_->compile_all();
  implementation_->tell_warnings();
  implementation_->load_first_weights();
}
Estimator::Estimator(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Estimator::~Estimator() = default;
Estimator::Estimator(Estimator&&) noexcept = default;
Estimator& Estimator::operator=(Estimator&&) noexcept = default;

Estimator Estimator::resume(const std::filesystem::path& run, EstimatorSettings settings,
                            const std::vector<std::string>& overrides) {
  RunToResume resumed = RunToResume::open(run, overrides);
  settings = with_group(resumed.config, std::move(settings));
  auto implementation = std::make_unique<Implementation>(
      std::move(resumed.config), std::move(settings), std::move(resumed.folder));
  implementation->open_data();
  implementation->compile_all();
  implementation->resume(std::move(resumed.changes));
  return Estimator(std::move(implementation));
}

Estimator Estimator::taken_up(const RunToResume& run, int64_t step, EstimatorSettings settings) {
  settings.keeps_run = false;
  auto implementation =
      std::make_unique<Implementation>(run.config, std::move(settings), run.folder);
  implementation->open_data();
  implementation->compile_all();
  implementation->rerun(step);
  return Estimator(std::move(implementation));
}

Estimator Estimator::rerun(const std::filesystem::path& run, int64_t step,
                           EstimatorSettings settings) {
  return taken_up(RunToResume::open(run, {}), step, std::move(settings));
}

Estimator Estimator::fork(const std::filesystem::path& run, const Node& config,
                          EstimatorSettings settings) {
  RunToResume found = RunToResume::open(run, {});
  found.config = config;
  return taken_up(found, std::numeric_limits<int64_t>::max(), std::move(settings));
}

Estimator Estimator::open(const std::filesystem::path& path, const std::string& checkpoint,
                          const std::vector<std::string>& overrides, EstimatorSettings settings) {
  RunFolder folder = RunFolder::open(path);
  settings.keeps_run = false;
  auto implementation =
      std::make_unique<Implementation>(config_of(folder, overrides), std::move(settings), folder);
  use_weights(folder, checkpoint,
              [&](const State& state) { implementation->restore_weights(state); });
  return Estimator(std::move(implementation));
}

void Estimator::use_checkpoint(const std::string& checkpoint) {
  implementation_->use_checkpoint(checkpoint);
}

Report Estimator::fit() { return implementation_->fit(); }
Report Estimator::fit(int64_t epochs) { return implementation_->fit(epochs); }
Report Estimator::step(int64_t steps, AfterSteps then) {
  return implementation_->fit(std::nullopt, Implementation::StepsToDo{steps, then});
}
std::string Estimator::status() const { return implementation_->status(); }
std::string Estimator::show_batch(Mode mode) { return implementation_->show_batch(mode); }
void Estimator::scale_learning_rate(double factor, const std::string& model) {
  implementation_->scale_learning_rate(factor, model);
}
ProfileReport Estimator::profile(int64_t steps) { return implementation_->profile(steps); }
Report Estimator::evaluate(Mode mode) {
  implementation_->open_data_for(mode);
  return implementation_->evaluate(mode);
}

std::vector<Prediction> Estimator::predict(const std::vector<PredictInput>& inputs, int64_t top) {
  return implementation_->predict(inputs, top);
}
bool Estimator::can_predict() const { return implementation_->can_predict(); }
PredictionEngine& Estimator::prediction_engine() { return implementation_->engine(); }
Trainer& Estimator::trainer() { return implementation_->trainer(); }
std::vector<Prediction> Estimator::predict_samples(const std::vector<int64_t>& samples,
                                                   int64_t top) {
  return implementation_->predict_samples(samples, top);
}

void Estimator::export_model(const std::filesystem::path& folder) const {
  implementation_->export_model(folder);
}
std::vector<std::string> Estimator::export_torch_weights(
    const std::filesystem::path& folder) const {
  return implementation_->export_torch_weights(folder);
}
std::string Estimator::weights_digest() const { return implementation_->digest(false); }
std::string Estimator::state_digest() const { return implementation_->digest(true); }
Network& Estimator::network() { return implementation_->network(); }

}  // namespace hearth
