// Checks of flags whose messages say what was expected and what came.
#include "cli/flag_checks.h"

#include <algorithm>
#include <functional>

#include "hearth/base/text.h"
#include "hearth/config/byte_size.h"
#include "hearth/config/link_words.h"

namespace hearth::cli {
namespace {

// The empty name keeps CLI11 from adding the rule to the flag's name in the help.
CLI::Validator must_be(const std::string& rule, std::function<bool(const std::string&)> holds) {
  return {[rule, holds = std::move(holds)](std::string& value) {
            return holds(value) ? "" : "must be " + rule + ", but is " + quote(value);
          },
          ""};
}

}  // namespace

CLI::Validator one_of_words(std::vector<std::string> words) {
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return must_be(join(first, ", ") + " or " + words.back(), [words](const std::string& value) {
    return std::find(words.begin(), words.end(), value) != words.end();
  });
}

CLI::Validator whole_number_from(int64_t least) {
  return must_be("a whole number of at least " + std::to_string(least),
                 [least](const std::string& value) {
                   const std::optional<int64_t> number = read_integer(value);
                   return number && *number >= least;
                 });
}

CLI::Validator size_in_bytes() {
  return must_be("a size such as 64MB",
                 [](const std::string& value) { return ByteSize::from(value).has_value(); });
}

CLI::Validator link_rate() {
  return must_be("a rate with its unit, such as 25Gb (bits) or 3GB (bytes)",
                 [](const std::string& value) { return read_link_rate(value).has_value(); });
}

CLI::Validator short_time() {
  return must_be("a time with its unit, such as 50us or 2ms",
                 [](const std::string& value) { return read_short_time(value).has_value(); });
}

CLI::Validator number_between(double least, double most) {
  return must_be("a number from " + shortest_number(least) + " to " + shortest_number(most),
                 [least, most](const std::string& value) {
                   const std::optional<double> number = read_number(value);
                   return number && *number >= least && *number <= most;
                 });
}

}  // namespace hearth::cli
