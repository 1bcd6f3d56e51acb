// A value in a few words, for people.
#include "hearth/data/value_text.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr size_t kShownNumbers = 8;
constexpr size_t kShownLetters = 60;

double number_at(const View& value, size_t at) {
  switch (value.spec->dtype) {
    case DType::kBool:
    case DType::kUint8:
      return static_cast<double>(value.as<uint8_t>()[at]);
    case DType::kInt32:
      return value.as<int32_t>()[at];
    case DType::kInt64:
      return static_cast<double>(value.as<int64_t>()[at]);
    case DType::kFloat32:
      return static_cast<double>(value.as<float>()[at]);
    case DType::kFloat64:
      return value.as<double>()[at];
    case DType::kFloat16:
    case DType::kBFloat16:
      break;
  }
  return std::nan("");
}

std::string short_number(double number) { return shortest_number(std::round(number * 1e4) / 1e4); }

std::string number_list(const View& value, size_t count) {
  std::vector<std::string> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(short_number(number_at(value, i)));
  return join(numbers, ", ");
}

std::string class_value(const View& value) {
  const double number = number_at(value, 0);
  const auto& names = value.spec->class_names;
  const auto at = static_cast<size_t>(std::max(number, 0.0));
  return short_number(number) + (number >= 0 && at < names.size() ? " (" + names[at] + ")" : "");
}

std::string text_value(const View& value) {
  const auto bytes = value.as<uint8_t>();
  std::string text(bytes.begin(),
                   bytes.begin() + static_cast<long>(std::min(bytes.size(), kShownLetters)));
  return quote(text) + (bytes.size() > kShownLetters ? " ..." : "");
}

std::string number_range(const View& value, size_t count) {
  double low = number_at(value, 0);
  double high = low;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const double number = number_at(value, i);
    low = std::min(low, number);
    high = std::max(high, number);
    sum += number;
  }
  return "from " + short_number(low) + " to " + short_number(high) + ", mean " +
         short_number(sum / static_cast<double>(count));
}

std::string value_shape_text(const View& value) {
  std::vector<std::string> lengths;
  for (const int64_t length : value.shape) lengths.push_back(std::to_string(length));
  return "[" + join(lengths, ", ") + "] ";
}

}  // namespace

std::string value_text(const View& value) {
  const size_t count = value.elements();
  if (value.spec->role == Role::kText) return text_value(value);
  if (value.spec->role == Role::kEncodedImage) return human_bytes(count);
  if (count == 0) return value_shape_text(value) + "nothing";
  if (value.spec->role == Role::kClass && count == 1) return class_value(value);
  if (count == 1) return short_number(number_at(value, 0));
  const std::string shape = value.spec->is_ragged() ? value_shape_text(value) : "";
  if (count <= kShownNumbers) return shape + number_list(value, count);
  return shape + number_range(value, count);
}

}  // namespace hearth
