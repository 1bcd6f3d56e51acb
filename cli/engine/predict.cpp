// hearth predict: what a trained model says of raw data points.
#include <nlohmann/json.hpp>

#include "cli/engine/continue_text.h"
#include "cli/engine/engine.h"
#include "cli/engine/predict_samples.h"
#include "cli/engine/predict_text.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"
#include "hearth/kernels/threads/compute_threads.h"
#include "hearth/train/predictor.h"

namespace hearth::cli {
namespace {

constexpr int64_t kLongList = 1000;  // samples from which on progress is shown

void add(std::vector<Prediction>& all, std::vector<Prediction> more) {
  for (Prediction& prediction : more) all.push_back(std::move(prediction));
}

void show_predicted(int64_t done, int64_t all) {
  if (all >= kLongList && done < all)
    show_passing({"predicted " + std::to_string(done) + " of " + std::to_string(all)});
}

std::vector<Prediction> predict_all(const PredictArguments& arguments, const Predictor& predictor) {
  const PredictSettings settings{.top = arguments.top,
                                 .batch_size = arguments.batch_size,
                                 .keeps_going = true,
                                 .on_progress = show_predicted};
  std::vector<Prediction> predictions;
  if (arguments.has_raw_inputs()) {
    GivenSamples given = given_samples(arguments, predictor);
    add(predictions, predictor(given.samples, settings));
    add(predictions, std::move(given.failed));
  }
  if (!arguments.samples.empty()) add(predictions, predictor.of_data(arguments.samples, settings));
  return predictions;
}

// The exit code.
int report_failures(const std::vector<Prediction>& predictions) {
  int code = 0;
  for (const Prediction& prediction : predictions) {
    if (prediction.error.empty()) continue;
    print_error(prediction.error);
    code = DataError("").exit_code();
  }
  return code;
}

}  // namespace

extern "C" int hearth_command_predict(const void* given) {
  const auto& arguments = *static_cast<const PredictArguments*>(given);
  const Predictor predictor(arguments.run, {.checkpoint = arguments.checkpoint,
                                            .accepts_changes = arguments.accepts_changes});
  const ThreadWatch threads;
  if (const std::optional<int> code = continue_texts(arguments, predictor)) return *code;
  const std::vector<Prediction> predictions = predict_all(arguments, predictor);
  size_t failures = 0;
  for (const Prediction& prediction : predictions) failures += prediction.error.empty() ? 0 : 1;
  // Where nothing at all was predicted, the first error is the command's.
  if (failures == predictions.size()) {
    for (size_t i = 1; i < predictions.size(); ++i) print_error(predictions[i].error);
    throw DataError(predictions.front().error);
  }
  if (arguments.is_json) {
    Json json = Json::array();
    for (const Prediction& prediction : predictions) json.push_back(prediction_json(prediction));
    print(json_line(json));
  } else {
    for (const Prediction& prediction : predictions)
      if (prediction.error.empty()) print_prediction(prediction);
  }
  return report_failures(predictions);
}

}  // namespace hearth::cli
