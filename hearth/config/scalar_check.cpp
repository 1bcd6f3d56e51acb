// Scalars: strict reading, bounds, and the words for what is wrong.
#include "hearth/config/scalar_check.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/text.h"
#include "hearth/config/byte_size.h"
#include "hearth/config/chosen.h"
#include "hearth/config/file_name.h"
#include "hearth/config/mode.h"
#include "hearth/config/time.h"

namespace hearth {
namespace {

using ScalarFault = std::optional<std::string>;

std::string expected(const std::string& what, const Node& node) {
  return "expected " + what + ", but got " + node.describe() + ".";
}

ScalarFault bounds_fault(double value, const Node& node, const Type& type) {
  if (is_within(value, type)) return std::nullopt;
  if (value > kLargestInteger && type.maximum == kLargestInteger)
    return "must be at most " + shortest_number(kLargestInteger) + ", but is " + node.text() + ".";
  return "must be " + type.rule() + ", but is " + node.text() + ".";
}

ScalarFault boolean_fault(const Node& node, const Type&) {
  if (node.text() == "true" || node.text() == "false") return std::nullopt;
  return expected("true or false", node);
}

bool is_digits(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

ScalarFault integer_fault(const Node& node, const Type& type) {
  if (const auto value = read_integer(node.text()))
    return bounds_fault(static_cast<double>(*value), node, type);
  if (is_digits(node.text())) return "must fit into 64 bits, but is " + node.text() + ".";
  return expected(type.label(), node);
}

bool is_word_for_no_number(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  text.erase(0, text.find_first_not_of("+-."));
  return text == "inf" || text == "infinity" || text == "nan";
}

// Written as a number is, whatever its size.
bool is_number_text(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const bool has_digits = text.substr(0, exponent).find_first_of("0123456789") != text.npos;
  return has_digits &&
         text.substr(0, exponent).find_first_not_of("0123456789.") == std::string_view::npos &&
         exponent + 1 < text.size() && is_digits(text.substr(exponent + 1));
}

ScalarFault number_fault(const Node& node, const Type& type) {
  const std::optional<double> value = read_number(node.text());
  if (is_word_for_no_number(node.text()) || (value && !std::isfinite(*value)))
    return "must be a finite number, but is " + node.text() + ".";
  if (!value && is_number_text(node.text()))
    return "must be a number that 64 bits can hold, but is " + node.text() + ".";
  if (!value) return expected(type.label(), node);
  return bounds_fault(*value, node, type);
}

ScalarFault text_fault(const Node& node, const Type& type) {
  if (type.must_not_be_empty && node.text().empty()) return "must not be empty.";
  return name_fault(node.text(), type.names);
}

ScalarFault time_fault(const Node& node, const Type& type) {
  const std::optional<Time> time = Time::from(node.text());
  if (!time) return expected("a time such as 3ep, 500st, 64000sm, 10min or 50%", node);
  return bounds_fault(time->value, node, type);
}

ScalarFault bytes_fault(const Node& node, const Type&) {
  if (ByteSize::from(node.text())) return std::nullopt;
  return expected("a size such as 2GB, 500MB or 512MiB", node);
}

ScalarFault mode_fault(const Node& node, const Type&) {
  if (Modes::from(node.text())) return std::nullopt;
  const std::string word = node.text().substr(node.text().starts_with('!') ? 1 : 0);
  return expected("a mode (train, eval, test, infer, or one with ! before it)", node) +
         suggestion(word, Modes::all().names());
}

ScalarFault enum_fault(const Node& node, const Type& type) {
  const auto& values = type.values;
  if (std::find(values.begin(), values.end(), node.text()) != values.end()) return std::nullopt;
  return expected(type.label(), node) + suggestion(node.text(), values);
}

// In quotes a number is a text, to editors as to us.
bool is_text_for_a_value(const Node& node, const Type& type) {
  return node.is_quoted() && (type.kind == TypeKind::kBoolean || type.kind == TypeKind::kInteger ||
                              type.kind == TypeKind::kNumber);
}

}  // namespace

bool is_within(double value, const Type& type) {
  const bool is_low =
      type.minimum && (type.excludes_minimum ? value <= *type.minimum : value < *type.minimum);
  const bool is_high =
      type.maximum && (type.excludes_maximum ? value >= *type.maximum : value > *type.maximum);
  return !is_low && !is_high;
}

std::optional<std::string> scalar_fault(const Node& node, const Type& type) {
  if (!node.is_scalar()) return expected(type.label(), node);
  if (is_text_for_a_value(node, type) && !scalar_fault(Node::scalar(node.text()), type))
    return "expected " + type.label() + ", but got the text " + quote(node.text()) +
           ". Leave the quotes out.";
  switch (type.kind) {
    case TypeKind::kBoolean:
      return boolean_fault(node, type);
    case TypeKind::kInteger:
      return integer_fault(node, type);
    case TypeKind::kNumber:
      return number_fault(node, type);
    case TypeKind::kText:
    case TypeKind::kPath:
      return text_fault(node, type);
    case TypeKind::kTime:
      return time_fault(node, type);
    case TypeKind::kBytes:
      return bytes_fault(node, type);
    case TypeKind::kModes:
      return mode_fault(node, type);
    case TypeKind::kEnum:
      return enum_fault(node, type);
    default:
      return expected(type.label(), node);
  }
}

}  // namespace hearth
