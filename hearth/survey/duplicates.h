// Samples that are equal or nearly so, within a set and between sets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/data/sample_print.h"

namespace hearth {

struct PrintedSample {
  size_t set = 0;  // which of the sets
  int64_t sample = 0;
  ExactPrint exact = {};
  std::optional<uint64_t> picture = {};
};

struct DuplicatePair {
  PrintedSample first;
  PrintedSample second;
  bool is_exact = false;
};

struct Duplicates {
  std::vector<DuplicatePair> pairs;  // the first ones, those between sets before all others
  int64_t exact_within = 0;          // samples equal to an earlier one of their set
  int64_t exact_across = 0;          // samples equal to one of an earlier set
  int64_t near_within = 0;           // the same for pictures that are similar, but not equal
  int64_t near_across = 0;
};

// In the order of sets and samples. Prints of pictures that differ in at most three of their 64
// bits count as similar.
[[nodiscard]] Duplicates find_duplicates(const std::vector<PrintedSample>& samples,
                                         size_t most_pairs);

}  // namespace hearth
