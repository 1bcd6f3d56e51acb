// Arithmetic over named numbers, from text.
#include "hearth/core/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr size_t kLongest = 4000;
constexpr int kDeepest = 100;  // brackets in brackets: the parser calls itself

struct Function {
  std::string_view name;  // operators by their sign; '~' is the minus of a single number
  size_t arguments;
  double (*compute)(const double*);
};
constexpr size_t kOperators = 6;
constexpr std::array<Function, 12> kFunctions = {{
    {"+", 2, [](const double* x) { return x[0] + x[1]; }},
    {"-", 2, [](const double* x) { return x[0] - x[1]; }},
    {"*", 2, [](const double* x) { return x[0] * x[1]; }},
    {"/", 2, [](const double* x) { return x[0] / x[1]; }},
    {"^", 2, [](const double* x) { return std::pow(x[0], x[1]); }},
    {"~", 1, [](const double* x) { return -x[0]; }},
    {"abs", 1, [](const double* x) { return std::abs(x[0]); }},
    {"exp", 1, [](const double* x) { return std::exp(x[0]); }},
    {"log", 1, [](const double* x) { return std::log(x[0]); }},
    {"max", 2, [](const double* x) { return std::isnan(x[0]) ? x[0] : std::max(x[1], x[0]); }},
    {"min", 2, [](const double* x) { return std::isnan(x[0]) ? x[0] : std::min(x[1], x[0]); }},
    {"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
}};

size_t function_number(std::string_view name) {
  for (size_t i = 0; i < kFunctions.size(); ++i)
    if (kFunctions[i].name == name) return i;
  return kFunctions.size();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Expression parse() {
    if (text_.size() > kLongest)
      throw ConfigError("the expression has " + std::to_string(text_.size()) +
                        " letters, but at most " + std::to_string(kLongest) + " are read.");
    sum();
    if (next() != '\0') fail("an operator or the end");
    return std::move(made_);
  }

 private:
  using Act = Expression::Act;

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found =
        place_ < text_.size() ? "found " + quote(std::string(text_.substr(place_, 1))) : "it ends";
    throw ConfigError("the expression " + quote(std::string(text_)) + ": at letter " +
                      std::to_string(place_ + 1) + " " + found + " where " + expected +
                      " was expected.");
  }

  // The next letter that is no space; 0 at the end.
  char next() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\t')) ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  bool take(char sign) {
    if (next() != sign) return false;
    ++place_;
    return true;
  }
  void add_call(std::string_view name) {
    made_.steps_.push_back({Act::kCall, 0, function_number(name)});
  }

  void sum() {
    if (++depth_ > kDeepest) fail("no more than " + std::to_string(kDeepest) + " brackets");
    product();
    while (next() == '+' || next() == '-') {
      const char sign = text_[place_++];
      product();
      add_call({&sign, 1});
    }
    --depth_;
  }
  void product() {
    signed_number();
    while (next() == '*' || next() == '/') {
      const char sign = text_[place_++];
      signed_number();
      add_call({&sign, 1});
    }
  }
  void signed_number() {
    bool is_negative = false;
    while (next() == '-' || next() == '+') is_negative ^= text_[place_++] == '-';
    power();
    if (is_negative) add_call("~");
  }
  void power() {
    primary();
    if (!take('^')) return;
    if (++depth_ > kDeepest) fail("no more than " + std::to_string(kDeepest) + " powers");
    signed_number();
    --depth_;
    add_call("^");
  }
  void primary() {
    const char first = next();
    if (take('(')) {
      sum();
      if (!take(')')) fail("')'");
    } else if (is_digit(first) || first == '.') {
      number();
    } else if (take('\'')) {
      quoted_name();
    } else if (is_letter(first)) {
      name_or_call();
    } else {
      fail("a number, a name or '('");
    }
  }
  void number() {
    double value = 0;
    const char* begin = text_.data() + place_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || end == begin) fail("a number");
    place_ += static_cast<size_t>(end - begin);
    made_.steps_.push_back({Act::kNumber, value, 0});
  }
  void quoted_name() {
    const size_t end = text_.find('\'', place_);
    if (end == std::string_view::npos || end == place_) fail("a name and the quote behind it");
    add_name(std::string(text_.substr(place_, end - place_)));
    place_ = end + 1;
  }
  void name_or_call() {
    const size_t begin = place_;
    while (place_ < text_.size() && (is_letter(text_[place_]) || is_digit(text_[place_]))) ++place_;
    const std::string name(text_.substr(begin, place_ - begin));
    if (!take('(')) return add_name(name);
    const size_t number = function_number(name);
    if (number == kFunctions.size()) {
      std::vector<std::string> known;
      for (size_t i = kOperators; i < kFunctions.size(); ++i)
        known.emplace_back(kFunctions[i].name);
      throw ConfigError("the expression " + quote(std::string(text_)) + " has no function " +
                        quote(name) + " to call." + did_you_mean(name, known) +
                        " There are: " + join(known, ", ") + ".");
    }
    for (size_t i = 0; i < kFunctions[number].arguments; ++i) {
      if (i > 0 && !take(',')) fail("',' and another argument of " + name);
      sum();
    }
    if (!take(')')) fail("')'");
    made_.steps_.push_back({Act::kCall, 0, number});
  }
  void add_name(const std::string& name) {
    const auto found = std::find(made_.names_.begin(), made_.names_.end(), name);
    made_.steps_.push_back({Act::kName, 0, static_cast<size_t>(found - made_.names_.begin())});
    if (found == made_.names_.end()) made_.names_.push_back(name);
  }

  std::string_view text_;
  size_t place_ = 0;
  int depth_ = 0;
  Expression made_;
};

Expression Expression::parse(std::string_view text) { return ExpressionParser(text).parse(); }

double Expression::value(const std::vector<double>& numbers) const {
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.act == Act::kNumber) stack.push_back(step.number);
    if (step.act == Act::kName) stack.push_back(numbers.at(step.index));
    if (step.act != Act::kCall) continue;
    const Function& function = kFunctions[step.index];
    const size_t first = stack.size() - function.arguments;
    const double result = function.compute(stack.data() + first);
    stack.resize(first);
    stack.push_back(result);
  }
  return stack.back();
}

}  // namespace hearth
