// What is found out about one key: numbers by channel, lengths, classes.
#include "hearth/survey/key_survey.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "hearth/base/text.h"

namespace hearth {
namespace {

// Beyond, an image's or a table's numbers are taken together.
constexpr int64_t kMostChannels = 64;

bool has_columns(const Spec& spec) {
  return spec.shape.size() == 1 && spec.shape[0] == static_cast<int64_t>(spec.columns.size());
}

size_t summaries_of(const Spec& spec) {
  if (!is_image(spec) && !has_columns(spec)) return 1;
  const int64_t channels = spec.shape.back();
  return channels >= 1 && channels <= kMostChannels ? static_cast<size_t>(channels) : 1;
}

// A category of a table is one of few, as a class is.
bool has_classes(const Spec& spec) {
  return spec.role == Role::kClass || spec.role == Role::kMask ||
         (spec.role == Role::kTokens && spec.shape.empty());
}

bool has_numbers(const Spec& spec) {
  return spec.role != Role::kEncodedImage && spec.role != Role::kText;
}

template <class T>
void add_each(const View& value, std::vector<NumberSummary>& numbers) {
  const auto values = value.as<T>();
  for (size_t i = 0; i < values.size(); ++i)
    numbers[i % numbers.size()].add(static_cast<double>(values[i]));
}

// "1,5", as many countries write it.
bool is_comma_number(std::string name) {
  const size_t comma = name.find(',');
  if (comma == std::string::npos) return false;
  name[comma] = '.';
  return read_number(name).has_value();
}

// One number, or a list of one for each channel.
template <class Of>
std::string list_of(const std::vector<NumberSummary>& numbers, const Of& of) {
  std::vector<std::string> words;
  for (const NumberSummary& summary : numbers) words.push_back(rounded_number(of(summary), 4));
  return words.size() == 1 ? words[0] : "[" + join(words, ", ") + "]";
}

}  // namespace

KeySurvey::KeySurvey(KeySpec key) : key_(std::move(key)) {
  const Spec& spec = key_.spec;
  if (has_numbers(spec)) numbers_.resize(summaries_of(spec));
  if (has_numbers(spec) && spec.dtype == DType::kUint8) bytes_.resize(numbers_.size());
  for (const int64_t length : spec.shape)
    if (length == kAnyLength) lengths_.emplace_back();
  if (has_classes(spec)) classes_.resize(static_cast<size_t>(spec.classes));
}

std::string KeySurvey::title_of_numbers(size_t summary) const {
  if (has_columns(key_.spec) && numbers_.size() == key_.spec.columns.size())
    return key_.spec.columns[summary];
  return numbers_.size() > 1 ? "channel " + std::to_string(summary) : "values";
}

void KeySurvey::add(const View& value) {
  size_t ragged = 0;
  for (size_t i = 0; i < value.shape.size(); ++i)
    if (key_.spec.shape[i] == kAnyLength)
      lengths_[ragged++].add(static_cast<double>(value.shape[i]));
  if (!numbers_.empty()) add_numbers(value);
  if (classes_.empty()) return;
  if (key_.spec.dtype == DType::kInt64)
    for (const int64_t number : value.as<int64_t>()) count_class(number);
  if (key_.spec.dtype == DType::kUint8)
    for (const uint8_t number : value.as<uint8_t>()) count_class(number);
}

void KeySurvey::count_class(int64_t number) {
  if (number >= 0 && number < static_cast<int64_t>(classes_.size()))
    ++classes_[static_cast<size_t>(number)];
  else
    ++outside_classes_;
}

void KeySurvey::add_bytes(const View& value) {
  const auto bytes = value.as<uint8_t>();
  for (size_t i = 0; i < bytes.size(); ++i) ++bytes_[i % bytes_.size()][bytes[i]];
}

void KeySurvey::add_numbers(const View& value) {
  switch (key_.spec.dtype) {
    case DType::kUint8:
      return add_bytes(value);
    case DType::kBool:
      return add_each<bool>(value, numbers_);
    case DType::kInt32:
      return add_each<int32_t>(value, numbers_);
    case DType::kInt64:
      return add_each<int64_t>(value, numbers_);
    case DType::kFloat32:
      return add_each<float>(value, numbers_);
    case DType::kFloat64:
      return add_each<double>(value, numbers_);
    case DType::kFloat16:
    case DType::kBFloat16:
      return;  // no source makes them
  }
}

void KeySurvey::finish() {
  for (size_t channel = 0; channel < bytes_.size(); ++channel)
    numbers_[channel].add_counts(bytes_[channel]);
  bytes_.clear();
}

std::string KeySurvey::normalize_line() const {
  const Spec& spec = key_.spec;
  if (!is_image(spec) || numbers_.empty() || numbers_[0].count() == 0) return "";
  // `normalize` makes 0 of black and 1 of white first, when an image is of bytes.
  const bool is_bytes = spec.dtype == DType::kUint8;
  const std::pair<double, double> range =
      is_bytes ? spec.image_range.value_or(std::pair{0.0, 255.0}) : std::pair{0.0, 1.0};
  const double black = range.first;
  const double unit = range.second - range.first;
  const auto mean = [&](const NumberSummary& of) { return (of.mean() - black) / unit; };
  const auto deviation = [&](const NumberSummary& of) { return of.deviation() / unit; };
  return "normalize: {key: " + key_.key + ", mean: " + list_of(numbers_, mean) +
         ", std: " + list_of(numbers_, deviation) + "}";
}

std::string KeySurvey::doubt() const {
  const Spec& spec = key_.spec;
  if (spec.role != Role::kTokens || !spec.shape.empty()) return "";
  size_t numbers = 0;
  std::vector<std::string> others;
  for (size_t c = 1; c < spec.class_names.size(); ++c)  // the first stands for missing ones
    if (read_number(spec.class_names[c]))
      ++numbers;
    else
      others.push_back(spec.class_names[c]);
  const auto commas = std::count_if(others.begin(), others.end(), is_comma_number);
  if (commas > 0 && 2 * (static_cast<size_t>(commas) + numbers) > numbers + others.size())
    return "numbers with a comma, such as " +
           quote(*std::find_if(others.begin(), others.end(), is_comma_number)) +
           ", are read as categories. Write them with a point.";
  if (others.empty() || others.size() >= numbers) return "";
  return "most of these are numbers, but not " + quote(others.front()) + ". Say columns: {" +
         key_.key + ": number}, and name under missing what stands for none.";
}

Json KeySurvey::to_json() const {
  Json json = {{"key", key_.key},
               {"spec", key_.spec.to_json()},
               {"numbers", Json::array()},
               {"lengths", Json::array()}};
  for (size_t i = 0; i < numbers_.size(); ++i) {
    json["numbers"].push_back(numbers_[i].to_json());
    json["numbers"].back()["of"] = title_of_numbers(i);
  }
  for (const NumberSummary& summary : lengths_) json["lengths"].push_back(summary.to_json());
  if (!classes_.empty()) {
    json["classes"] = classes_;
    json["outside_classes"] = outside_classes_;
  }
  if (const std::string line = normalize_line(); !line.empty()) json["normalize"] = line;
  if (const std::string text = doubt(); !text.empty()) json["doubt"] = text;
  return json;
}

}  // namespace hearth
