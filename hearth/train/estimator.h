// The public face of training: fit, evaluate, predict. Needs no LibTorch header.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/table.h"
#include "hearth/experiment/options.h"
#include "hearth/train/after_steps.h"
#include "hearth/train/prediction.h"
#include "hearth/train/profile_report.h"
#include "hearth/train/run_progress.h"

namespace hearth {

class Group;
class Network;
class PredictionEngine;
class Trainer;
struct RunToResume;

// What a training or an evaluation came to.
struct Report {
  std::map<std::string, double> metrics;  // "train/loss", "eval/accuracy", "eval/f1/macro"
  std::map<std::string, Table> tables;    // of an evaluation: "eval/confusion"
  int64_t epochs = 0;
  int64_t steps = 0;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;  // of tensors, at a time; 0 where Hearth does not count them
  uint64_t sent_bytes = 0;         // by this process to those that train with it, so far
  std::string run_folder;          // empty when no run is kept
  std::string stop_reason;         // why it ended before its last epoch, or nothing
  bool was_interrupted = false;
};

struct EstimatorSettings {
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const std::string&)> on_notice = {};
  std::function<void(const std::string&)> on_warning = {};  // of the config, before anything runs
  const std::atomic<bool>* interrupt = nullptr;  // set it to save and stop at the next step
  bool keeps_run = true;                         // false: no run folder, nothing is written
  std::string as_written = {};                   // the config's own text, for the run folder
  // Whether to go on with a folder whose config.yaml or specs.json is not what its weights were
  // trained with. Otherwise that is a ConfigError that names what differs.
  bool accepts_changes = false;
  // Whether train.commands of the config may run; otherwise a notice says that they do not.
  bool allows_commands = false;
  // Looks at every gradient and parameter in every step, and stops at the first that is no finite
  // number, with the op, the layer and the samples it comes from.
  bool detects_anomalies = false;
  // Around every `fit`: before the first step, with the run's folder, and after it with what it
  // came to; not when it failed.
  std::function<void(const std::string& run)> before_training = {};
  std::function<void(const Report&)> after_training = {};
  // The processes that train together, of which this is one: rank 0 keeps the run and says how it
  // goes. Null: those that a launcher made, or this one alone.
  std::shared_ptr<Group> group = {};
};

struct PredictInput {
  std::filesystem::path file;  // a picture of any size, or a CSV file with one sample per row
  bool is_inverted = false;    // dark ink on light paper, where the training data is light on dark
};

class Estimator {
 public:
  // ConfigError and GraphError with everything that is wrong, before any data is read.
  explicit Estimator(const ExperimentOptions& options, EstimatorSettings settings = {});
  // The same for a config that `load_experiment` made: errors say its files, lines and columns.
  explicit Estimator(const Node& effective, EstimatorSettings settings = {});
  ~Estimator();
  Estimator(Estimator&&) noexcept;
  Estimator& operator=(Estimator&&) noexcept;

  // Goes on with a run at its newest checkpoint. A run that is done stays as it is, unless
  // overrides change it, for instance to more epochs.
  [[nodiscard]] static Estimator resume(const std::filesystem::path& run,
                                        EstimatorSettings settings = {},
                                        const std::vector<std::string>& overrides = {});
  // A trained model for evaluation and prediction, from a run folder or an exported model folder.
  // `checkpoint` is best, last or another name; best falls back to last. Overrides change the
  // config. Nothing is written.
  [[nodiscard]] static Estimator open(const std::filesystem::path& folder,
                                      const std::string& checkpoint = "best",
                                      const std::vector<std::string>& overrides = {},
                                      EstimatorSettings settings = {});

  // Of one that was opened: another checkpoint's weights take the place of those it has. DataError
  // when there is none of that name, or it is damaged; then it stays as it is.
  void use_checkpoint(const std::string& checkpoint);

  // Takes a run up in memory, to go through steps of it again: at its newest checkpoint that is not
  // beyond `step`, or at its start. Nothing is written.
  [[nodiscard]] static Estimator rerun(const std::filesystem::path& run, int64_t step,
                                       EstimatorSettings settings = {});
  // The same at its newest checkpoint, to go on with another config of the same network: a trial
  // that the run knows nothing of.
  [[nodiscard]] static Estimator fork(const std::filesystem::path& run, const Node& config,
                                      EstimatorSettings settings = {});

  // Trains for the config's epochs. Called again, it goes on: to the end if it was interrupted, or
  // for as many epochs again. DataError when a loss, a metric or a parameter is no finite number,
  // unless train.on_nan says otherwise.
  Report fit();
  // The same until so many epochs are done in all.
  Report fit(int64_t epochs);
  // Trains for some steps. One that waits saves what is there by `fit`, by a last call that ends it
  // (`step(0, AfterSteps::kEnd)`) or at the end of the training.
  Report step(int64_t steps = 1, AfterSteps then = AfterSteps::kWait);
  // Where it stands, in one line: epoch, step, newest metrics, learning rates, run.
  [[nodiscard]] std::string status() const;
  // One batch of the mode as the network gets it: keys, shapes, ranges, samples.
  [[nodiscard]] std::string show_batch(Mode mode = Mode::kTrain);
  // From the next step on, learning rates are multiplied by this, of one model or of all; part of
  // the checkpoints from then on.
  void scale_learning_rate(double factor, const std::string& model = "");
  // Interrupted, it measures nothing and says so.
  [[nodiscard]] Report evaluate(Mode mode = Mode::kEval);
  // Times `steps` steps of training, after a few that do not count, layer by layer. Nothing is
  // written, and model, optimizer and data are afterwards as they were before.
  [[nodiscard]] ProfileReport profile(int64_t steps = 20);
  // Of files, for the one key that the model needs; a Predictor takes any keys and values.
  [[nodiscard]] std::vector<Prediction> predict(const std::vector<PredictInput>& inputs,
                                                int64_t top = 0);
  // Samples of the eval data (train when there is none).
  [[nodiscard]] std::vector<Prediction> predict_samples(const std::vector<int64_t>& samples,
                                                        int64_t top = 0);

  // Whether the wanted keys can be made from raw data points.
  [[nodiscard]] bool can_predict() const;

  // Writes config, specs and weights: all that prediction needs.
  void export_model(const std::filesystem::path& folder) const;
  // Writes the weights alone, by PyTorch's names, for other programs; returns the files' names.
  std::vector<std::string> export_torch_weights(const std::filesystem::path& folder) const;
  // SHA-256 over all weights, and over weights and optimizer together. Where processes share out
  // what optimizers remember, all of them ask for the second, and the first is answered.
  [[nodiscard]] std::string weights_digest() const;
  [[nodiscard]] std::string state_digest() const;
  // Feeds and fetches over the network's named graph.
  [[nodiscard]] Network& network();
  // For internal use by Predictor.
  [[nodiscard]] PredictionEngine& prediction_engine();
  // For internal use by what goes through steps again.
  [[nodiscard]] Trainer& trainer();

 private:
  class Implementation;
  explicit Estimator(std::unique_ptr<Implementation> implementation);
  [[nodiscard]] static Estimator taken_up(const RunToResume& run, int64_t step,
                                          EstimatorSettings settings);
  std::unique_ptr<Implementation> implementation_;
};

// Prints progress to standard error, one line per epoch, and a moving line within it on a terminal.
[[nodiscard]] std::function<void(const Progress&)> console_progress();

}  // namespace hearth
