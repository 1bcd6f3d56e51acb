// The public face of training: fit, evaluate, predict.
#include "hearth/train/estimator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/kernels/memory/memory_cache.h"
#include "hearth/kernels/threads/compute_threads.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/machine.h"
#include "hearth/train/plan_check.h"
#include "hearth/train/plugins.h"
#include "hearth/train/raw_source.h"
#include "hearth/train/run_config.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/run_origin.h"
#include "hearth/train/torch_weights.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

constexpr int64_t kPredictBatch = 64;  // where the training's batches have no single size

ExperimentOptions options_from(const Node& effective) {
  return ExperimentOptions::schema().read(effective);
}

void require_no_files(const fs::path& target) {
  if (!list_folder(target).empty())
    throw DataError(target.string() + " is not empty. Name a folder that does not exist yet.");
}

// Hands over the state that holds the wanted weights; a damaged newest one is passed over.
void use_weights(const RunFolder& folder, const std::string& checkpoint,
                 const CheckpointFolder::Use& use) {
  if (folder.is_model()) return use(read_state(folder.weights(), kWeightsKind));
  const CheckpointFolder checkpoints(folder.checkpoints());
  const bool wants_best = checkpoint == "best" && checkpoints.has("best");
  if (wants_best || (checkpoint != "best" && checkpoint != "last"))
    return use(checkpoints.named(checkpoint));
  if (!checkpoints.newest(use))
    throw DataError(folder.path().string() +
                    " has no checkpoint yet. Train it first: hearth train --resume " +
                    folder.path().string());
}

}  // namespace

class Estimator::Implementation {
 public:
  Implementation(Node effective, EstimatorSettings settings, std::optional<RunFolder> folder)
      : effective_(std::move(effective)),
        settings_(std::move(settings)),
        folder_(std::move(folder)),
        options_(on_this_machine(options_from(effective_))),
        experiment_(options_, effective_) {}

  void open_data() { experiment_.open_sources(); }
  // Every plan once, so that every fault of the graph shows before any data is read.
  void compile_all() { warnings_ = check_run(experiment_).warnings; }
  void tell_warnings() const {
    if (!settings_.on_warning) return;
    for (const std::string& warning : warnings_) settings_.on_warning(warning);
  }
  // Of a checkpoint, or of exported weights. Specs that do not belong to them are named as such,
  // before a network is made of them that cannot be.
  void restore_weights(const State& state) {
    check_origin(state);
    experiment_.use_specs(folder_->specs());
    (void)experiment_.compiled(Mode::kInfer, 0, {options_.predict.out});
    const State network = folder_->is_model() ? state : state.part("network");
    for (const auto& model : experiment_.network().models().all())
      model->restore_weights(network.part("models/" + model->name()));
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

  Report fit() {
    const ThreadWatch threads;
    const bool is_first = !is_begun_;
    if (is_first) origin_ = new_origin();
    // Before the run has a folder: what fails here leaves none.
    if (options_.train.warm_up && is_at_start()) trial_trainer().warm_up();
    if (is_first && settings_.keeps_run) begin_run();
    make_trainer();
    is_begun_ = true;
    memory_cache().restart_peak();
    const Stopwatch watch;
    const int64_t goal = std::exchange(goal_, std::nullopt).value_or(next_goal());
    if (goal > trainer_->position().epoch) {
      if (!changes_.empty()) keep_changes();
      trainer_->fit(goal);
    }
    Report report = make_report(watch.seconds());
    if (is_memory_cache_installed()) {
      report.peak_memory_bytes = memory_cache().numbers().peak_bytes;
      memory_cache().trim();
    }
    report.metrics = trainer_->metrics();
    std::erase_if(report.metrics, [](const auto& item) { return item.first.starts_with("step/"); });
    return report;
  }

  // By a trainer of its own, so that the run's stays where it is.
  ProfileReport profile(int64_t steps) {
    const ThreadWatch threads;
    return trial_trainer().profile(steps);
  }

  Report evaluate(Mode mode) {
    if (!experiment_.has_source(mode))
      throw ConfigError(
          "is not in the config; there is nothing to evaluate. "
          "Add it with an override, such as data." +
              std::string(name(mode)) + "={digits: {split: test}}.",
          mark_at(effective_, "data." + std::string(name(mode))).place());
    make_trainer();
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
    return report;
  }

  // The one key a stranger's data point fills: what the data yields and nobody predicts.
  [[nodiscard]] std::optional<KeySpec> find_input_key() const {
    for (const KeySpec& key : experiment_.input_keys())
      if (is_fillable(key.spec)) return key;
    return std::nullopt;
  }

  [[nodiscard]] KeySpec input_key() const {
    if (auto key = find_input_key()) return *key;
    std::vector<std::string> texts;
    for (const KeySpec& key : experiment_.input_keys())
      texts.push_back("'" + key.key + "' (" + key.spec.text() + ")");
    throw GraphError(
        "predict fills one key with a raw data point, an image, a text or float32 numbers, but the "
        "training data yields " +
        join(texts, ", ") + ". Use evaluate, or Network::run in C++.");
  }

  std::vector<Prediction> predict(std::vector<RawInput> inputs, int64_t top) {
    std::vector<Prediction> predictions;
    for (const RawInput& input : inputs) predictions.push_back({input.name, {}, {}, input.notes});
    const auto count = static_cast<int64_t>(inputs.size());
    experiment_.set_infer_source(make_raw_source(input_key(), std::move(inputs)));
    run_inference(count, predictions, top);
    return predictions;
  }

  std::vector<Prediction> predict_samples(const std::vector<int64_t>& samples, int64_t top) {
    const Mode mode = experiment_.has_source(Mode::kEval) ? Mode::kEval : Mode::kTrain;
    experiment_.open_sources();
    const auto& source = experiment_.source(mode);
    std::vector<Prediction> predictions;
    for (int64_t index : samples) {
      if (index < 0 || index >= source->size())
        throw DataError("there is no sample " + std::to_string(index) + " in data." +
                        std::string(name(mode)) + ", which has " + std::to_string(source->size()) +
                        ".");
      predictions.push_back({source->describe(index), {}, {}, {}});
    }
    experiment_.set_infer_source(make_chosen_source(source, samples));
    run_inference(static_cast<int64_t>(samples.size()), predictions, top);
    return predictions;
  }

  void export_model(const fs::path& target) {
    require_no_files(target);
    const RunFolder folder = RunFolder::made_at(target);
    const Node config = with_copied_plugins(effective_, target);
    State weights;
    for (const auto& model : experiment_.network().models().all())
      weights.add("models/" + model->name(), model->weights());
    RunOrigin{config, experiment_.specs()}.add_to(weights);
    write_state(folder.weights(), weights, kWeightsKind);
    folder.write_specs(experiment_.specs());
    folder.write_config(config, "");
  }

  [[nodiscard]] std::string digest(bool with_optimizer) {
    State all;
    for (const auto& model : experiment_.network().models().all())
      all.add(model->name(), with_optimizer ? model->state() : model->weights());
    return digest_of(all);
  }

  [[nodiscard]] Network& network() { return experiment_.network(); }

  std::vector<std::string> export_torch_weights(const fs::path& target) {
    require_no_files(target);
    make_folder(target);
    return write_torch_weights(target, experiment_.network().models());
  }

 private:
  // Before the first tensor is made.
  static ExperimentOptions on_this_machine(ExperimentOptions options) {
    use_threads(options.threads);
    keep_freed_memory();
    if (options.kernels == "fast") install_memory_cache();
    return options;
  }

  [[nodiscard]] bool is_at_start() const { return !trainer_ || trainer_->position().step == 0; }

  // One that writes nothing and leaves everything as it was.
  [[nodiscard]] Trainer trial_trainer() {
    return {experiment_, std::nullopt, {{}, settings_.on_notice, settings_.interrupt}};
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
    trainer_.reset();  // one that only measured keeps no run
  }

  void write_run_files() const {
    folder_->write_specs(origin_.specs);
    folder_->write_machine(machine_facts());
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
                         [this] { remake_folder(); }});
  }

  [[nodiscard]] RunOrigin new_origin() {
    experiment_.learn_backgrounds();
    return {effective_, experiment_.specs()};
  }

  void check_origin(const State& state) {
    const std::vector<std::string> found = unexpected_changes(*folder_, state);
    if (found.empty()) return;
    if (!settings_.accepts_changes) refuse_changes(*folder_, found);
    changes_.insert(changes_.end(), found.begin(), found.end());
  }

  // The history first: whoever finds the new config must find that it was wanted.
  void keep_changes() {
    origin_ = new_origin();
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
    return report;
  }

  void run_inference(int64_t count, std::vector<Prediction>& predictions, int64_t top) {
    const ThreadWatch threads;
    const CompiledPlan compiled = experiment_.compiled(Mode::kInfer, 0, {options_.predict.out});
    const ScheduledCount& size = options_.data.batch_size;
    const int64_t batch_size =
        size.is_constant() ? static_cast<int64_t>(size.constant()) : kPredictBatch;
    Loader loader(count, {.name = "predict", .batch_size = batch_size, .workers = 0},
                  [&](int64_t) { return compiled.data; });
    loader.start(0, 0, 1);
    BatchRunner runner(experiment_.network());
    StepContext context;
    context.mode = Mode::kInfer;
    for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next()) {
      runner.run(compiled, batch, context);
      const at::Tensor output =
          runner.value(compiled.plan.fetches[0]).to(at::kCPU, at::kDouble).contiguous();
      for (int64_t row = 0; row < batch.rows(); ++row)
        fill_prediction(output.select(0, row),
                        predictions[static_cast<size_t>(batch.samples()[static_cast<size_t>(row)])],
                        top);
      runner.clear();
    }
  }

  void fill_prediction(const at::Tensor& output, Prediction& prediction, int64_t top) const {
    const at::Tensor flat = output.flatten().contiguous();
    prediction.values.assign(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
    for (const double value : prediction.values)
      if (!std::isfinite(value))
        throw DataError(prediction.input + ": the model's output '" + options_.predict.out +
                        "' holds " + shortest_number(value) +
                        ", which is no prediction. Did its training diverge? Look at the losses "
                        "in the run's log.jsonl, and train it with a lower learning rate.");
    const std::vector<std::string> names = class_names(flat.numel());
    if (names.empty()) return;
    for (size_t i = 0; i < names.size(); ++i)
      prediction.scores.push_back({names[i], prediction.values[i]});
    std::stable_sort(prediction.scores.begin(), prediction.scores.end(),
                     [](const ClassScore& left, const ClassScore& right) {
                       return left.probability > right.probability;
                     });
    const auto shown = static_cast<size_t>(top > 0 ? top : options_.predict.top);
    if (prediction.scores.size() > shown) prediction.scores.resize(shown);
  }

  // Names of the classes of the target with as many classes as the output has numbers.
  [[nodiscard]] std::vector<std::string> class_names(int64_t count) const {
    for (const KeySpec& key : experiment_.specs()) {
      if (key.spec.classes != count) continue;
      if (!key.spec.class_names.empty()) return key.spec.class_names;
      std::vector<std::string> numbers;
      for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
      return numbers;
    }
    return {};
  }

  Node effective_;
  EstimatorSettings settings_;
  std::optional<RunFolder> folder_;
  ExperimentOptions options_;
  ExperimentGraph experiment_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<Trainer> trainer_;
  bool is_begun_ = false;
  std::optional<int64_t> goal_;
  RunOrigin origin_;                  // what the run's files and checkpoints say
  std::vector<std::string> changes_;  // of a resumed run's config, not yet in its folder
  std::vector<std::string> warnings_;
};

Estimator::Estimator(const ExperimentOptions& options, EstimatorSettings settings)
    : Estimator(effective_config(options), std::move(settings)) {}
Estimator::Estimator(const Node& effective, EstimatorSettings settings)
    : implementation_(
          std::make_unique<Implementation>(effective, std::move(settings), std::nullopt)) {
  implementation_->open_data();
  implementation_->compile_all();
  implementation_->tell_warnings();
}
Estimator::Estimator(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Estimator::~Estimator() = default;
Estimator::Estimator(Estimator&&) noexcept = default;
Estimator& Estimator::operator=(Estimator&&) noexcept = default;

Estimator Estimator::resume(const std::filesystem::path& run, EstimatorSettings settings,
                            const std::vector<std::string>& overrides) {
  RunToResume resumed = RunToResume::open(run, overrides);
  auto implementation = std::make_unique<Implementation>(
      std::move(resumed.config), std::move(settings), std::move(resumed.folder));
  implementation->open_data();
  implementation->compile_all();
  implementation->resume(std::move(resumed.changes));
  return Estimator(std::move(implementation));
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

Report Estimator::fit() { return implementation_->fit(); }
ProfileReport Estimator::profile(int64_t steps) { return implementation_->profile(steps); }
Report Estimator::evaluate(Mode mode) {
  implementation_->open_data();
  return implementation_->evaluate(mode);
}

std::vector<Prediction> Estimator::predict(const std::vector<PredictInput>& inputs, int64_t top) {
  std::vector<RawInput> raw;
  for (const PredictInput& input : inputs)
    for (RawInput& sample :
         read_raw_file(input.file, implementation_->input_key(), input.is_inverted))
      raw.push_back(std::move(sample));
  return implementation_->predict(std::move(raw), top);
}

bool Estimator::can_predict() const { return implementation_->find_input_key().has_value(); }
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
