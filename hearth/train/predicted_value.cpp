// A model's output for one sample, read by what it is.
#include "hearth/train/predicted_value.h"

#include <ATen/ops/argmax.h>

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// Names of the classes of the key with as many classes, or their numbers; none when there is none.
std::vector<std::string> names_of_classes(int64_t count, const std::vector<KeySpec>& data) {
  for (const KeySpec& key : data) {
    if (key.spec.classes != count) continue;
    if (!key.spec.class_names.empty()) return key.spec.class_names;
    std::vector<std::string> numbers;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
    return numbers;
  }
  return {};
}

// Scores come with the classes first, and then the points or places each class has a score for.
Role role_of_scores(size_t dimensions) {
  if (dimensions == 1) return Role::kClass;
  return dimensions == 2 ? Role::kTokens : Role::kMask;
}

void check_output(const PredictedValue& output, const std::string& input) {
  for (const double value : output.values)
    if (!std::isfinite(value))
      throw DataError(input + ": the model's output '" + output.key + "' holds " +
                      shortest_number(value) +
                      ", which is no prediction. Did its training diverge? Look at the losses "
                      "in the run's log.jsonl, and train it with a lower learning rate.");
}

std::vector<ClassScore> best_scores(const PredictedValue& output, int64_t top) {
  std::vector<ClassScore> scores;
  for (size_t i = 0; i < output.class_names.size(); ++i)
    scores.push_back({output.class_names[i], output.values[i]});
  std::stable_sort(scores.begin(), scores.end(),
                   [](const ClassScore& left, const ClassScore& right) {
                     return left.probability > right.probability;
                   });
  if (scores.size() > static_cast<size_t>(top)) scores.resize(static_cast<size_t>(top));
  return scores;
}

// Rows of left, top, right, bottom, score and class number; those without a score are no boxes.
constexpr size_t kNumbersOfBox = 6;

std::vector<FoundBox> found_boxes(const PredictedValue& output) {
  std::vector<FoundBox> boxes;
  for (size_t at = 0; at + kNumbersOfBox <= output.values.size(); at += kNumbersOfBox) {
    const double* row = output.values.data() + at;
    if (row[4] <= 0) continue;
    const auto number = static_cast<size_t>(row[5]);
    const bool is_named = number < output.class_names.size();
    boxes.push_back({.name = is_named ? output.class_names[number] : std::to_string(number),
                     .score = row[4],
                     .left = row[0],
                     .top = row[1],
                     .right = row[2],
                     .bottom = row[3]});
  }
  return boxes;
}

bool is_found_boxes(Role role, const std::vector<int64_t>& shape) {
  return role == Role::kBoxes && shape.size() == 2 && shape[1] == int64_t{kNumbersOfBox};
}

}  // namespace

OutputReading reading_of(const std::string& key, const Spec& spec,
                         const std::vector<KeySpec>& data) {
  OutputReading reading{.key = key, .role = spec.role};
  if (is_found_boxes(spec.role, spec.shape)) {
    reading.class_names = names_of_classes(spec.classes, data);
    return reading;
  }
  const bool has_places = spec.shape.size() > 1;
  // One number for each class, whatever the layer knows of it; with places it must say so.
  const int64_t count = !has_places && !spec.is_ragged() ? spec.elements() : spec.classes;
  if (!is_floating(spec.dtype) || spec.shape.empty() || count == 0) return reading;
  if (has_places && spec.shape.front() != count) return reading;
  reading.class_names = names_of_classes(count, data);
  if (!reading.class_names.empty()) reading.role = role_of_scores(spec.shape.size());
  return reading;
}

PredictedValue read_output(const OutputReading& reading, const at::Tensor& row,
                           const std::string& input) {
  PredictedValue output{.key = reading.key, .role = reading.role, .shape = row.sizes().vec()};
  const at::Tensor flat = row.contiguous().flatten();
  output.values.assign(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  check_output(output, input);
  output.class_names = reading.class_names;
  if (is_found_boxes(output.role, output.shape)) {
    output.boxes = found_boxes(output);
    return output;
  }
  if (output.class_names.empty()) return output;
  if (reading.role == Role::kClass) {
    output.scores = best_scores(output, reading.top);
  } else {
    const at::Tensor best = at::argmax(row, 0).contiguous();
    output.classes.assign(best.data_ptr<int64_t>(), best.data_ptr<int64_t>() + best.numel());
  }
  return output;
}

}  // namespace hearth
