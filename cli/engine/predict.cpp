// hearth predict: what a trained model says of raw data points.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/error.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

Json prediction_json(const Prediction& prediction) {
  Json scores = Json::array();
  for (const ClassScore& score : prediction.scores)
    scores.push_back({{"class", score.name}, {"probability", score.probability}});
  return {{"input", prediction.input},
          {"scores", scores},
          {"values", prediction.values},
          {"notes", prediction.notes}};
}

void print_prediction(const Prediction& prediction) {
  print(prediction.input + "\n");
  for (const ClassScore& score : prediction.scores) {
    char percent[32];
    std::snprintf(percent, sizeof(percent), "%6.2f %%", 100 * score.probability);
    print("  " + padded(visible(score.name), 16) + " " + percent + "\n");
  }
  if (prediction.scores.empty())
    for (double value : prediction.values) print("  " + shortest_number(value) + "\n");
  for (const std::string& note : prediction.notes) print_note(prediction.input + ": " + note);
}

}  // namespace

extern "C" int hearth_command_predict(const void* given) {
  const auto& arguments = *static_cast<const PredictArguments*>(given);
  if (arguments.files.empty() && arguments.samples.empty())
    throw ConfigError(
        "predict needs a PNG or CSV file, or --sample N for a sample of the held-out data.");
  Estimator estimator =
      Estimator::open(arguments.run, "best", {}, {.accepts_changes = arguments.accepts_changes});
  std::vector<Prediction> predictions;
  std::vector<PredictInput> inputs;
  for (const std::string& file : arguments.files) inputs.push_back({file, arguments.is_inverted});
  if (!inputs.empty()) predictions = estimator.predict(inputs, arguments.top);
  if (!arguments.samples.empty())
    for (Prediction& prediction : estimator.predict_samples(arguments.samples, arguments.top))
      predictions.push_back(std::move(prediction));
  if (arguments.is_json) {
    Json json = Json::array();
    for (const Prediction& prediction : predictions) json.push_back(prediction_json(prediction));
    print(json_line(json));
    return 0;
  }
  for (const Prediction& prediction : predictions) print_prediction(prediction);
  return 0;
}

}  // namespace hearth::cli
