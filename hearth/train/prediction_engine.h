// Prediction over an experiment's graph: plans kept by shape, batches, and calls from several
// threads. For internal use by Predictor and Estimator.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hearth/train/experiment_graph.h"
#include "hearth/train/predicted_value.h"
#include "hearth/train/prediction.h"
#include "hearth/train/raw_source.h"
#include "hearth/train/shared_inference.h"

namespace hearth {

// What runs for data points whose keys have certain shapes.
struct PredictionPlan {
  CompiledPlan compiled;
  std::vector<KeySpec> keys;   // of its source
  std::vector<size_t> needed;  // those of them that the wanted keys are made from
  std::vector<OutputReading> readings;
};

class PredictionEngine {
 public:
  explicit PredictionEngine(ExperimentGraph& experiment);

  // The experiment must know its specs. These may be called from several threads at once.
  [[nodiscard]] std::vector<Prediction> predict(std::span<const RawSample> samples,
                                                const PredictSettings& settings);
  // Of the eval data, or the train data when there is none, which must be open.
  [[nodiscard]] std::vector<Prediction> predict_data(std::span<const int64_t> samples,
                                                     const PredictSettings& settings);
  // Values that the model makes of a source's samples, or that these have: what they are, and those
  // of a stretch of samples, on the CPU.
  struct Features {
    std::vector<KeySpec> keys;
    std::function<std::vector<at::Tensor>(int64_t first, int64_t count)> batch;
  };
  // ConfigError for a key that has no value of one size for each sample.
  [[nodiscard]] Features features(const std::shared_ptr<const Source>& source,
                                  const std::vector<std::string>& wanted);
  // The plan that makes these keys of data points as the training data has them, and its network's
  // side run with `values`, which are the plan's and hold what goes in.
  [[nodiscard]] CompiledPlan compiled(const std::vector<std::string>& wanted);
  void infer(const CompiledPlan& compiled, std::vector<at::Tensor>& values);
  [[nodiscard]] Network& network() { return experiment_.network(); }
  [[nodiscard]] const std::vector<KeySpec>& specs() const { return experiment_.specs(); }
  [[nodiscard]] const ExperimentOptions& options() const { return experiment_.options(); }
  [[nodiscard]] std::vector<KeySpec> inputs();
  [[nodiscard]] std::string inputs_text();
  [[nodiscard]] const std::vector<std::string>& outputs() const;
  [[nodiscard]] int64_t plans() const;
  // Samples at a time.
  [[nodiscard]] int64_t batch_size(const PredictSettings& settings) const;

 private:
  using PlanPointer = std::shared_ptr<const PredictionPlan>;
  struct KeptPlan {
    std::string signature;
    PlanPointer plan;
  };
  // Rows of a source to predict, and where their predictions go.
  struct Work {
    PlanPointer plan;
    std::shared_ptr<const Source> source;
    std::vector<int64_t> rows;
    std::span<Prediction> predictions;  // by row
  };

  [[nodiscard]] PlanPointer plan_for(const std::vector<KeySpec>& keys);
  [[nodiscard]] PlanPointer compile_plan(const std::vector<KeySpec>& keys);
  // For data points as the training data has them.
  [[nodiscard]] const PredictionPlan& usual_plan();
  [[nodiscard]] PlanPointer plan_of(const FilledSample& sample);
  [[nodiscard]] FilledSample fill(const RawSample& sample, Prediction& prediction);
  void check_keys(const RawSample& sample);
  void predict_part(std::span<const RawSample> samples, const PredictSettings& settings,
                    std::span<Prediction> predictions);
  void run(Work& work, const PredictSettings& settings);
  void run_batch(const Work& work, const PredictSettings& settings);
  [[nodiscard]] HostBatch load(const Work& work) const;
  // Values of the plan's fetches, where they were computed.
  [[nodiscard]] std::vector<at::Tensor> computed(const CompiledPlan& compiled,
                                                 const HostBatch& batch);
  void drop_failing(Work& work) const;
  void read_rows(const Work& work, const std::vector<at::Tensor>& outputs,
                 const PredictSettings& settings) const;

  ExperimentGraph& experiment_;
  SharedInference room_;
  mutable std::mutex mutex_;     // guards the plans
  std::vector<KeptPlan> plans_;  // the one asked for last at the end
  PlanPointer usual_;
  std::once_flag is_usual_made_;
  std::once_flag is_data_open_;
};

}  // namespace hearth
