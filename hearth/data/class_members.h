// The samples of each class, for what draws classes by their weights.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/data/column.h"

namespace hearth {

// The classes that have samples and a weight above 0, in the order of their numbers.
struct ClassMembers {
  std::vector<std::vector<int64_t>> members;
  std::vector<double> weights;
};

// No weights at all: every class weighs the same. DataError when there is not one for each class,
// or when no class is left.
[[nodiscard]] ClassMembers class_members(const Source& source, const ColumnKey& asked,
                                         const std::vector<double>& weights);

// The samples of each group, in their order.
[[nodiscard]] std::vector<std::vector<int64_t>> group_members(const std::vector<int64_t>& group_of,
                                                              int64_t groups);

}  // namespace hearth
