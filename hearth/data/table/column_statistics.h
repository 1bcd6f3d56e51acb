// Statistics of columns of numbers over any number of rows, in bounded memory. What is missing,
// NaN, does not count. The same rows in the same order give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hearth {

// Mean and deviation of each column.
class ColumnMoments {
 public:
  explicit ColumnMoments(size_t columns) : sums_(columns) {}
  void add(std::span<const float> row);
  [[nodiscard]] std::vector<double> means() const;       // 0 for a column without numbers
  [[nodiscard]] std::vector<double> deviations() const;  // 1 for a column that does not vary

 private:
  // Of what is left after the first number, so that large numbers with small differences keep
  // their digits.
  struct Sums {
    double first = 0;
    double sum = 0;
    double squares = 0;
    int64_t count = 0;
  };
  std::vector<Sums> sums_;
};

// Exact quantiles in two passes: by the upper half of a number's bits, then by the lower half of
// those in the upper halves that matter.
class ColumnQuantiles {
 public:
  // `shares` rise from 0 to 1: {0.5} is the median.
  ColumnQuantiles(size_t columns, std::vector<double> shares);
  void add(std::span<const float> row);
  // After each pass; true after the second.
  [[nodiscard]] bool finish();
  // For each column the number at each share, the lower one of two; none for a column without
  // numbers.
  [[nodiscard]] const std::vector<std::vector<double>>& quantiles() const { return quantiles_; }

 private:
  struct Column {
    std::vector<int64_t> upper;                                // counts
    std::unordered_map<uint32_t, std::vector<int64_t>> lower;  // counts in those that matter
    int64_t count = 0;
  };
  [[nodiscard]] std::vector<int64_t> ranks(const Column& column) const;
  void choose_uppers(Column& column) const;
  [[nodiscard]] std::vector<double> found(const Column& column) const;

  std::vector<double> shares_;
  std::vector<Column> columns_;
  std::vector<std::vector<double>> quantiles_;
  bool is_second_ = false;
};

// The most frequent number of each column, the smallest of several. DataError for a column with
// more different numbers than anybody would ask this of.
class ColumnModes {
 public:
  explicit ColumnModes(size_t columns) : counts_(columns) {}
  void add(std::span<const float> row);
  [[nodiscard]] std::vector<double> modes() const;  // 0 for a column without numbers

 private:
  std::vector<std::unordered_map<float, int64_t>> counts_;
};

}  // namespace hearth
