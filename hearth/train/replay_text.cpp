// What the replay of a step is told as.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/text.h"
#include "hearth/train/replay.h"

namespace hearth {
namespace {

constexpr size_t kSamplesShown = 32;
constexpr size_t kNumberWidth = 11;

Json number_or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

std::string number_cell(const std::optional<double>& number) {
  if (!number) return padded("", kNumberWidth);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", *number);
  return padded(text, kNumberWidth);
}

double highest_loss(const ReplayedSample& sample) {
  double highest = -std::numeric_limits<double>::infinity();
  // What is no number is the worst of all.
  for (const auto& [key, loss] : sample.losses)
    highest = loss == loss ? std::max(highest, loss) : std::numeric_limits<double>::infinity();
  return highest;
}

std::string samples_text(std::vector<ReplayedSample> samples) {
  std::stable_sort(samples.begin(), samples.end(), [](const auto& left, const auto& right) {
    return highest_loss(left) > highest_loss(right);
  });
  std::string text = "samples, the highest loss first\n";
  for (size_t i = 0; i < std::min(samples.size(), kSamplesShown); ++i) {
    text += "  ";
    for (const auto& [key, loss] : samples[i].losses) text += key + " " + number_cell(loss);
    text +=
        "sample " + padded(std::to_string(samples[i].sample), 8) + visible(samples[i].name) + "\n";
  }
  if (samples.size() > kSamplesShown)
    text += "  and " + std::to_string(samples.size() - kSamplesShown) + " more (--json)\n";
  return text;
}

std::string layers_text(const std::vector<ReplayedLayer>& layers) {
  size_t width = 5;
  for (const ReplayedLayer& layer : layers) width = std::max(width, letter_count(layer.path));
  std::string text = "norms\n  " + padded("layer", width);
  for (const char* title : {"output", "weights", "gradient", "change"})
    text += "  " + padded(title, kNumberWidth);
  text += "\n";
  for (const ReplayedLayer& layer : layers) {
    text += "  " + padded(layer.path, width);
    for (const auto& number : {layer.output, layer.weights, layer.gradient, layer.change})
      text += "  " + number_cell(number);
    text += layer.is_finite ? "\n" : "  not finite\n";
  }
  return text;
}

}  // namespace

Json StepReplay::to_json() const {
  Json json = {{"step", step},     {"epoch", epoch},           {"taken_up", taken_up},
               {"values", values}, {"is_logged", is_logged},   {"log_differences", log_differences},
               {"error", error},   {"samples", Json::array()}, {"layers", Json::array()}};
  for (const ReplayedSample& sample : samples)
    json["samples"].push_back(
        {{"sample", sample.sample}, {"name", sample.name}, {"losses", sample.losses}});
  for (const ReplayedLayer& layer : layers)
    json["layers"].push_back({{"path", layer.path},
                              {"output", number_or_null(layer.output)},
                              {"weights", number_or_null(layer.weights)},
                              {"gradient", number_or_null(layer.gradient)},
                              {"change", number_or_null(layer.change)},
                              {"is_finite", layer.is_finite}});
  return json;
}

std::string StepReplay::text() const {
  std::string text = "step " + std::to_string(step) + " of epoch " + std::to_string(epoch + 1) +
                     ", played from step " + std::to_string(taken_up) + "\n";
  for (const auto& [key, value] : values) text += "  " + key + " " + shortest_number(value) + "\n";
  if (is_logged && log_differences.empty()) text += "  the same numbers as in the run's log\n";
  for (const std::string& line : log_differences) text += "  not as logged: " + line + "\n";
  if (!error.empty()) text += "  it ended with: " + error + "\n";
  return text + samples_text(samples) + layers_text(layers);
}

}  // namespace hearth
