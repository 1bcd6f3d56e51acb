// What is found out about one key by looking at many of its values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "hearth/data/value.h"
#include "hearth/survey/number_summary.h"

namespace hearth {

class KeySurvey {
 public:
  explicit KeySurvey(KeySpec key);

  void add(const View& value);
  // Turns what was counted into summaries; call it once, after the last value.
  void finish();

  [[nodiscard]] const KeySpec& key() const { return key_; }
  // Of an image, a summary for each channel; of a table's numbers, for each column; of others, one.
  [[nodiscard]] const std::vector<NumberSummary>& numbers() const { return numbers_; }
  [[nodiscard]] std::string title_of_numbers(
      size_t summary) const;  // "area", "channel 0", "values"
  // Of each length that differs from sample to sample, in the order of the shape.
  [[nodiscard]] const std::vector<NumberSummary>& lengths() const { return lengths_; }
  // How often each class comes.
  [[nodiscard]] const std::vector<int64_t>& classes() const { return classes_; }
  [[nodiscard]] int64_t outside_classes() const { return outside_classes_; }
  // Mean and deviation of an image as `normalize` takes them; empty for other keys.
  [[nodiscard]] std::string normalize_line() const;
  // What looks like a mistake of a table's: numbers that were taken for categories. Empty if none.
  [[nodiscard]] std::string doubt() const;
  [[nodiscard]] Json to_json() const;

 private:
  void add_numbers(const View& value);
  void add_bytes(const View& value);
  void count_class(int64_t number);

  KeySpec key_;
  std::vector<NumberSummary> numbers_;
  std::vector<std::array<int64_t, 256>> bytes_;  // how often each byte came, for each channel
  std::vector<NumberSummary> lengths_;
  std::vector<int64_t> classes_;
  int64_t outside_classes_ = 0;
};

}  // namespace hearth
