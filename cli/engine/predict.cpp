// hearth predict: what a trained model says of raw data points.
#include <nlohmann/json.hpp>
#include <span>

#include "cli/engine/continue_text.h"
#include "cli/engine/engine.h"
#include "cli/engine/predict_samples.h"
#include "cli/engine/predict_text.h"
#include "cli/engine/shared_predictions.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/cluster/group.h"
#include "hearth/format/json.h"
#include "hearth/kernels/threads/compute_threads.h"
#include "hearth/train/prediction_engine.h"
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

// On the first of the processes that share it, all of them.
std::vector<Prediction> predict_all(const PredictArguments& arguments, const Predictor& predictor,
                                    Group& group) {
  PredictSettings settings{.top = arguments.top,
                           .batch_size = arguments.batch_size,
                           .keeps_going = true,
                           .on_progress = show_predicted};
  if (group.size() > 1) settings.on_progress = {};
  const int64_t batch_size = predictor.engine().batch_size(settings);
  std::vector<Prediction> predictions;
  if (arguments.has_raw_inputs()) {
    GivenSamples given = given_samples(arguments, predictor);
    const std::span<const RawSample> samples = given.samples;
    add(predictions, predict_shared(group, samples.size(), static_cast<size_t>(batch_size),
                                    [&](size_t first, size_t count) {
                                      return predictor(samples.subspan(first, count), settings);
                                    }));
    if (group.is_first()) add(predictions, std::move(given.failed));
  }
  const std::span<const int64_t> numbers = arguments.samples;
  if (!numbers.empty())
    add(predictions, predict_shared(group, numbers.size(), static_cast<size_t>(batch_size),
                                    [&](size_t first, size_t count) {
                                      return predictor.of_data(numbers.subspan(first, count),
                                                               settings);
                                    }));
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
  const std::shared_ptr<Group> group = launched_group();
  const std::vector<Prediction> predictions =
      told_to_others(*group, [&] { return predict_all(arguments, predictor, *group); });
  group->leave();
  if (!group->is_first()) return 0;
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
