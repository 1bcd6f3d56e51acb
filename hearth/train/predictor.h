// A trained model, ready for raw data points. Needs no LibTorch header.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/train/prediction.h"
#include "hearth/train/raw_sample.h"

namespace hearth {

class Estimator;
class PredictionEngine;

struct PredictorSettings {
  std::string checkpoint = "best";          // of a run: best, last or another name
  std::vector<std::string> overrides = {};  // of its config: "predict.out=[probability]"
  bool accepts_changes = false;             // as EstimatorSettings has it
};

// Made once, called often. Several threads may call it at once and get the same as one after
// another; they share the weights. A plan is compiled for each combination of shapes that comes,
// and kept. Results of a data point may differ in the last bits with the number of data points that
// share its batch, and with padding to the longest of them.
//
// Layers and network ops of one's own must keep nothing in members while they run in mode infer;
// what they draw at random then, as `noise` does, comes from one stream that all calls share.
// While some layer has hooks, calls take turns.
class Predictor {
 public:
  // From a run's folder, or a model folder that `hearth export` wrote.
  explicit Predictor(const std::filesystem::path& folder, const PredictorSettings& settings = {});
  // With the estimator's own weights, whatever they are when it is called. The estimator must
  // outlive it, and must not train or evaluate while it is called.
  explicit Predictor(Estimator& estimator);

  // Predictions in the order of the samples. DataError for a sample that cannot be predicted: it
  // names the sample, the key, and what the key takes.
  [[nodiscard]] std::vector<Prediction> operator()(std::span<const RawSample> samples,
                                                   const PredictSettings& settings = {}) const;
  [[nodiscard]] Prediction operator()(const RawSample& sample) const;
  // Samples of the eval data (train when there is none) by number.
  [[nodiscard]] std::vector<Prediction> of_data(std::span<const int64_t> samples,
                                                const PredictSettings& settings = {}) const;

  // What a data point must have, with what each key takes.
  [[nodiscard]] std::vector<KeySpec> inputs() const;
  // "'image': an image, uint8 [B, 8, 8, 1]", a line for each.
  [[nodiscard]] std::string inputs_text() const;
  // The keys that predictions have.
  [[nodiscard]] const std::vector<std::string>& outputs() const;
  // For those who use the model in other ways, such as Generator.
  [[nodiscard]] PredictionEngine& engine() const { return *engine_; }
  // Plans that are kept: one for each shape of what goes in, of the 16 that came last.
  [[nodiscard]] int64_t plans() const;

 private:
  std::shared_ptr<Estimator> own_;  // null when it is someone else's
  PredictionEngine* engine_ = nullptr;
};

}  // namespace hearth
