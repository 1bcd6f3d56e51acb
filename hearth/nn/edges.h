// How many values are added or cut at the two ends of dimensions, as options say it: two numbers
// for each dimension from the last on, or one number for both sides of images and both ends of
// others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

struct Edges {
  int64_t before = 0;
  int64_t after = 0;
};

// Two numbers for each dimension from the last on: [left, right, top, bottom].
[[nodiscard]] std::vector<int64_t> all_edges(const std::vector<int64_t>& numbers,
                                             size_t dimensions);
// The same as pairs.
[[nodiscard]] std::vector<Edges> edges_of(const std::vector<int64_t>& numbers, size_t dimensions);
// GraphError when the numbers do not fit the dimensions of a sample.
[[nodiscard]] std::vector<Edges> require_edges(const BuildContext& context,
                                               const std::string& layer, const Spec& input,
                                               const std::vector<int64_t>& numbers);

}  // namespace hearth
