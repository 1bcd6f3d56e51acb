// A trained model, ready for raw data points.
#include "hearth/train/predictor.h"

#include "hearth/train/estimator.h"
#include "hearth/train/prediction_engine.h"

namespace hearth {

Predictor::Predictor(const std::filesystem::path& folder, const PredictorSettings& settings)
    : own_(std::make_shared<Estimator>(
          Estimator::open(folder, settings.checkpoint, settings.overrides,
                          {.accepts_changes = settings.accepts_changes}))),
      engine_(&own_->prediction_engine()) {}

Predictor::Predictor(Estimator& estimator) : engine_(&estimator.prediction_engine()) {}

std::vector<Prediction> Predictor::operator()(std::span<const RawSample> samples,
                                              const PredictSettings& settings) const {
  return engine_->predict(samples, settings);
}

Prediction Predictor::operator()(const RawSample& sample) const {
  return engine_->predict(std::span(&sample, 1), {}).front();
}

std::vector<Prediction> Predictor::of_data(std::span<const int64_t> samples,
                                           const PredictSettings& settings) const {
  return engine_->predict_data(samples, settings);
}

std::vector<KeySpec> Predictor::inputs() const { return engine_->inputs(); }
std::string Predictor::inputs_text() const { return engine_->inputs_text(); }
const std::vector<std::string>& Predictor::outputs() const { return engine_->outputs(); }
int64_t Predictor::plans() const { return engine_->plans(); }

}  // namespace hearth
