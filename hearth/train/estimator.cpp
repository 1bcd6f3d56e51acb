// The public face of training: fit, evaluate, predict.
#include "hearth/train/estimator.h"

#include <algorithm>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/experiment/expand.h"
#include "hearth/experiment/load.h"
#include "hearth/kernels/memory_cache.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/live_catalog.h"
#include "hearth/train/machine.h"
#include "hearth/train/raw_source.h"
#include "hearth/train/run_folder.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

Node effective_config(const ExperimentOptions& options) {
  Node config = ExperimentOptions::schema().write(options);
  load_plugins(config);
  // What the C++ side left empty was not chosen.
  for (const char* key : {"models", "network"})
    if (const Node* node = config.find(key);
        node != nullptr && node->entries().empty() && node->items().empty())
      config.erase(key);
  if (config.find("models") != nullptr) config = without_shorthand(std::move(config));
  return load_experiment(std::move(config), {}, live_catalog()).effective;
}

Node config_of(const RunFolder& folder, const std::vector<std::string>& overrides) {
  const Node config = folder.config();
  load_plugins(config);
  return load_experiment(config, overrides, live_catalog()).effective;
}

ExperimentOptions options_from(const Node& effective) {
  return ExperimentOptions::schema().read(effective);
}

// The weights of a checkpoint, whatever else it holds.
State weights_in(const RunFolder& folder, const std::string& checkpoint) {
  if (fs::exists(folder.weights())) return read_state(folder.weights(), kWeightsKind);
  const CheckpointFolder checkpoints(folder.checkpoints());
  const bool wants_best = checkpoint == "best" && checkpoints.has("best");
  if (wants_best || (checkpoint != "best" && checkpoint != "last"))
    return checkpoints.named(checkpoint).part("network");
  auto newest = checkpoints.newest();
  if (!newest)
    throw DataError(folder.path().string() +
                    " has no checkpoint yet. Train it first: hearth train --resume " +
                    folder.path().string());
  return newest->state.part("network");
}

}  // namespace

class Estimator::Implementation {
 public:
  Implementation(Node effective, EstimatorSettings settings, std::optional<RunFolder> folder)
      : effective_(std::move(effective)),
        settings_(std::move(settings)),
        folder_(std::move(folder)),
        options_(on_this_machine(options_from(effective_))),
        experiment_(options_) {}

  void open_data() { experiment_.open_sources(); }
  // Every plan once, so that every fault of the graph shows before any data is read.
  void compile_all() {
    for (int64_t epoch : experiment_.change_epochs())
      for (Mode mode : kAllModes)
        if (experiment_.has_source(mode)) (void)experiment_.compiled(mode, epoch);
    (void)experiment_.make_traces();
  }
  void build_from_specs(std::vector<KeySpec> specs) {
    experiment_.use_specs(std::move(specs));
    (void)experiment_.compiled(Mode::kInfer, 0, {options_.predict.out});
  }
  void restore_weights(const State& network) {
    for (const auto& model : experiment_.network().models().all())
      model->restore_weights(network.part("models/" + model->name()));
  }
  void resume(bool is_changed) {
    if (is_changed) folder_->write_config(effective_, "");
    make_trainer();
    trainer_->resume();
    is_begun_ = true;
    // Until `fit` is called a second time, the run's own end is the goal.
    const int64_t target = trainer_->position().target_epochs;
    goal_ = is_changed || target == 0 ? options_.train.epochs : target;
    if (!is_changed && !trainer_->stop_reason().empty()) goal_ = trainer_->position().epoch;
  }

  Report fit() {
    const bool is_first = !is_begun_;
    if (is_first && settings_.keeps_run) begin_run();
    make_trainer();
    if (options_.train.warm_up && trainer_->position().step == 0) trainer_->warm_up();
    is_begun_ = true;
    memory_cache().restart_peak();
    const Stopwatch watch;
    const int64_t goal = std::exchange(goal_, std::nullopt).value_or(next_goal());
    if (goal > trainer_->position().epoch) trainer_->fit(goal);
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
    Trainer trainer(experiment_, std::nullopt, {{}, settings_.on_notice, settings_.interrupt});
    return trainer.profile(steps);
  }

  Report evaluate(Mode mode) {
    if (!experiment_.has_source(mode))
      throw ConfigError("data." + std::string(name(mode)) +
                        " is not in the config; there is nothing to evaluate. "
                        "Add it with an override, such as data." +
                        std::string(name(mode)) + "={digits: {split: test}}.");
    make_trainer();
    const Stopwatch watch;
    Report report = make_report(0);
    for (const auto& [metric, value] : trainer_->evaluate(mode))
      report.metrics[std::string(name(mode)) + "/" + metric] = value;
    report.seconds = watch.seconds();
    return report;
  }

  // The one key a stranger's data point fills: what the data yields and nobody predicts.
  [[nodiscard]] std::optional<KeySpec> find_input_key() const {
    for (const KeySpec& key : experiment_.input_keys())
      if (key.spec.dtype == DType::kFloat32) return key;
    return std::nullopt;
  }

  [[nodiscard]] KeySpec input_key() const {
    if (auto key = find_input_key()) return *key;
    std::vector<std::string> texts;
    for (const KeySpec& key : experiment_.input_keys())
      texts.push_back("'" + key.key + "' (" + key.spec.text() + ")");
    throw GraphError(
        "predict fills one float32 key with a raw data point, but the training data yields " +
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
    const KeySpec key = input_key();
    std::vector<RawInput> inputs;
    for (int64_t index : samples) {
      if (index < 0 || index >= source->size())
        throw DataError("there is no sample " + std::to_string(index) + " in data." +
                        std::string(name(mode)) + ", which has " + std::to_string(source->size()) +
                        ".");
      RawInput input{source->describe(index),
                     std::vector<float>(static_cast<size_t>(key.spec.elements())),
                     {}};
      read_sample(*source, key.key, index, input.values);
      inputs.push_back(std::move(input));
    }
    return predict(std::move(inputs), top);
  }

  void export_model(const fs::path& target) {
    if (fs::exists(target) && !fs::is_empty(target))
      throw DataError(target.string() + " is not empty. Name a folder that does not exist yet.");
    make_folder(target);
    State weights;
    for (const auto& model : experiment_.network().models().all())
      weights.add("models/" + model->name(), model->weights());
    write_state(target / "model.safetensors", weights, kWeightsKind);
    write_file_durably(target / "config.yaml", "");
    const RunFolder folder = RunFolder::open(target);
    folder.write_specs(experiment_.specs());
    folder.write_config(effective_, "");
  }

  [[nodiscard]] std::string digest(bool with_optimizer) {
    State all;
    for (const auto& model : experiment_.network().models().all())
      all.add(model->name(), with_optimizer ? model->state() : model->weights());
    return digest_of(all);
  }

  [[nodiscard]] Network& network() { return experiment_.network(); }

 private:
  // Before the first tensor is made.
  static ExperimentOptions on_this_machine(ExperimentOptions options) {
    use_threads(options.threads);
    if (options.kernels == "fast") install_memory_cache();
    return options;
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
    folder_->write_specs(experiment_.specs());
    folder_->write_machine(machine_facts());
    folder_->write_config(effective_, settings_.as_written);
  }

  void make_trainer() {
    if (trainer_) return;
    if (folder_ && settings_.keeps_run) lock_ = std::make_unique<FolderLock>(folder_->path());
    trainer_ = std::make_unique<Trainer>(
        experiment_, settings_.keeps_run ? folder_ : std::nullopt,
        TrainerCalls{settings_.on_progress, settings_.on_notice, settings_.interrupt});
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

  static void read_sample(const Source& source, const std::string& key, int64_t index,
                          std::vector<float>& into) {
    std::vector<std::byte*> destinations;
    for (const KeySpec& known : source.keys())
      destinations.push_back(known.key == key ? reinterpret_cast<std::byte*>(into.data())
                                              : nullptr);
    source.read(index, destinations);
  }

  void run_inference(int64_t count, std::vector<Prediction>& predictions, int64_t top) {
    const CompiledPlan compiled = experiment_.compiled(Mode::kInfer, 0, {options_.predict.out});
    Loader loader(count, {.name = "predict", .batch_size = options_.data.batch_size, .workers = 0},
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
  Experiment experiment_;
  std::unique_ptr<FolderLock> lock_;
  std::unique_ptr<Trainer> trainer_;
  bool is_begun_ = false;
  std::optional<int64_t> goal_;
};

Estimator::Estimator(const ExperimentOptions& options, EstimatorSettings settings)
    : implementation_(std::make_unique<Implementation>(effective_config(options),
                                                       std::move(settings), std::nullopt)) {
  implementation_->open_data();
  implementation_->compile_all();
}
Estimator::Estimator(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Estimator::~Estimator() = default;
Estimator::Estimator(Estimator&&) noexcept = default;
Estimator& Estimator::operator=(Estimator&&) noexcept = default;

Estimator Estimator::resume(const std::filesystem::path& run, EstimatorSettings settings,
                            const std::vector<std::string>& overrides) {
  RunFolder folder = RunFolder::open(run);
  const Node config = config_of(folder, overrides);
  auto implementation =
      std::make_unique<Implementation>(config, std::move(settings), std::move(folder));
  implementation->open_data();
  implementation->compile_all();
  implementation->resume(!overrides.empty());
  return Estimator(std::move(implementation));
}

Estimator Estimator::open(const std::filesystem::path& path, const std::string& checkpoint,
                          const std::vector<std::string>& overrides) {
  RunFolder folder = RunFolder::open(path);
  const Node config = config_of(folder, overrides);
  const State weights = weights_in(folder, checkpoint);
  EstimatorSettings settings;
  settings.keeps_run = false;
  std::vector<KeySpec> specs = folder.specs();
  auto implementation =
      std::make_unique<Implementation>(config, std::move(settings), std::move(folder));
  implementation->build_from_specs(std::move(specs));
  implementation->restore_weights(weights);
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
std::string Estimator::weights_digest() const { return implementation_->digest(false); }
std::string Estimator::state_digest() const { return implementation_->digest(true); }
Network& Estimator::network() { return implementation_->network(); }

}  // namespace hearth
