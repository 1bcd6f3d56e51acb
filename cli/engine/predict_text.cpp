// A prediction for people, and for programs.
#include "cli/engine/predict_text.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

std::string percent_line(const std::string& name, double share) {
  char percent[32];
  std::snprintf(percent, sizeof(percent), "%6.2f %%", 100 * share);
  return "  " + padded(visible(name), 16) + " " + percent + "\n";
}

std::string sizes_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> lengths;
  for (const int64_t length : shape) lengths.push_back(std::to_string(length));
  return join(lengths, " x ");
}

// How much of the picture each class takes, the largest share first.
std::string mask_lines(const PredictedValue& mask) {
  std::map<int64_t, int64_t> points;
  for (const int64_t number : mask.classes) ++points[number];
  std::vector<std::pair<int64_t, int64_t>> largest(points.begin(), points.end());
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  std::string text = "  a class for each of " +
                     sizes_text({mask.shape.begin() + 1, mask.shape.end()}) + " points\n";
  for (const auto& [number, count] : largest)
    text += percent_line(mask.class_names[static_cast<size_t>(number)],
                         static_cast<double>(count) / static_cast<double>(mask.classes.size()));
  return text;
}

std::string token_line(const PredictedValue& tokens) {
  std::string text;
  for (const int64_t number : tokens.classes) {
    const std::string& token = tokens.class_names[static_cast<size_t>(number)];
    text += (text.empty() || token.size() == 1 ? "" : " ") + token;
  }
  return "  " + visible(text) + "\n";
}

std::string box_lines(const std::vector<FoundBox>& boxes) {
  if (boxes.empty()) return "  nothing found\n";
  std::string text;
  for (const FoundBox& box : boxes) {
    char place[128];
    std::snprintf(place, sizeof(place), "%6.2f %%  %.1f, %.1f to %.1f, %.1f", 100 * box.score,
                  box.left, box.top, box.right, box.bottom);
    text += "  " + padded(visible(box.name), 16) + " " + place + "\n";
  }
  return text;
}

std::string value_lines(const PredictedValue& output) {
  if (output.boxes) return box_lines(*output.boxes);
  std::string text;
  for (const ClassScore& score : output.scores) text += percent_line(score.name, score.probability);
  if (!text.empty()) return text;
  if (output.role == Role::kMask && !output.classes.empty()) return mask_lines(output);
  if (output.role == Role::kTokens && !output.classes.empty()) return token_line(output);
  if (output.shape.size() < 2) {
    for (const double value : output.values) text += "  " + shortest_number(value) + "\n";
    return text;
  }
  const auto [least, most] = std::minmax_element(output.values.begin(), output.values.end());
  return "  " + sizes_text(output.shape) + " numbers from " + shortest_number(*least) + " to " +
         shortest_number(*most) + "; --json prints them\n";
}

Json boxes_json(const std::vector<FoundBox>& boxes) {
  Json all = Json::array();
  for (const FoundBox& box : boxes)
    all.push_back({{"class", box.name},
                   {"score", box.score},
                   {"box", {box.left, box.top, box.right, box.bottom}}});
  return all;
}

Json value_json(const PredictedValue& output) {
  Json scores = Json::array();
  for (const ClassScore& score : output.scores)
    scores.push_back({{"class", score.name}, {"probability", score.probability}});
  Json json = {{"scores", scores}, {"values", output.values}};
  if (output.boxes) json["boxes"] = boxes_json(*output.boxes);
  if (output.shape.size() > 1) json["shape"] = output.shape;
  if (!output.classes.empty()) {
    json["classes"] = output.classes;
    json["class_names"] = output.class_names;
  }
  return json;
}

}  // namespace

Json prediction_json(const Prediction& prediction) {
  Json json = Json::object();
  if (prediction.outputs.size() == 1) json = value_json(prediction.outputs.front());
  if (prediction.outputs.size() > 1)
    for (const PredictedValue& output : prediction.outputs)
      json["outputs"][output.key] = value_json(output);
  json["input"] = prediction.input;
  json["notes"] = prediction.notes;
  if (!prediction.error.empty()) json["error"] = prediction.error;
  return json;
}

void print_prediction(const Prediction& prediction) {
  print(prediction.input + "\n");
  for (const PredictedValue& output : prediction.outputs) {
    if (prediction.outputs.size() > 1) print(" " + output.key + "\n");
    print(value_lines(output));
  }
  for (const std::string& note : prediction.notes) print_note(prediction.input + ": " + note);
}

}  // namespace hearth::cli
