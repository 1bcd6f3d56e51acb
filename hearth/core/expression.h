// Arithmetic over named numbers, from text: "2 * precision * recall / (precision + recall)".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Numbers, names, + - * / ^, brackets, and the functions abs, exp, log, max, min and sqrt. A name
// has letters, digits and `_`; any other stands in quotes: 'f1/macro'. As everywhere, ^ comes
// before * and
// /, these before + and -; a ^ b ^ c is a ^ (b ^ c), and -a ^ b is -(a ^ b).
class Expression {
 public:
  // ConfigError says what is wrong with the text, where, and what was expected.
  [[nodiscard]] static Expression parse(std::string_view text);
  // Those it needs, each once, in the order they came.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Numbers by the order of the names. Nothing is an error: 1 / 0 is infinite, 0 / 0 not a number.
  [[nodiscard]] double value(const std::vector<double>& numbers) const;

 private:
  friend class ExpressionParser;
  enum class Act : uint8_t { kNumber, kName, kCall };
  // In the order of computation: numbers and names are put on a stack, calls take from it.
  struct Step {
    Act act = Act::kNumber;
    double number = 0;
    size_t index = 0;  // of the name, or of the function
  };
  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace hearth
