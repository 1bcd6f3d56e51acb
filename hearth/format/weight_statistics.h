// What the numbers of a file's tensors are like, and how those of two files differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/format/weight_file.h"

namespace hearth {

// All numbers of a tensor, as float64.
[[nodiscard]] std::vector<double> numbers_of(const WeightFile& file, const WeightEntry& entry);

// Of the finite numbers among them; the rest is counted.
struct WeightStatistics {
  uint64_t finite = 0;
  uint64_t nan = 0;
  uint64_t infinite = 0;
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double most = 0;
};
[[nodiscard]] WeightStatistics statistics_of(const WeightFile& file, const WeightEntry& entry);

// One name of two files. Numbers are compared where both have the shape.
struct WeightDifference {
  std::string name;
  const WeightEntry* left = nullptr;  // null where the file does not have it
  const WeightEntry* right = nullptr;
  uint64_t differing = 0;  // numbers that are not the same; two NaN are
  double largest = 0;      // infinite where only one of two is finite
  uint64_t largest_at = 0;
  [[nodiscard]] bool has_same_shape() const {
    return left != nullptr && right != nullptr && left->shape == right->shape;
  }
  [[nodiscard]] bool is_equal() const {
    return has_same_shape() && left->type == right->type && differing == 0;
  }
};
// By name, those of the left file in its order, then what only the right one has.
[[nodiscard]] std::vector<WeightDifference> differences(const WeightFile& left,
                                                        const WeightFile& right);

// "float32 [64, 3, 7, 7]"
[[nodiscard]] std::string text_of(const WeightEntry& entry);

}  // namespace hearth
