// Samples in the order of a value that each of them has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hearth {

// Equal values stay in the source's order.
template <class Value>
[[nodiscard]] std::vector<int64_t> sorted_samples(const std::vector<Value>& values) {
  std::vector<int64_t> samples(values.size());
  std::iota(samples.begin(), samples.end(), int64_t{0});
  std::sort(samples.begin(), samples.end(), [&](int64_t a, int64_t b) {
    const Value& left = values[static_cast<size_t>(a)];
    const Value& right = values[static_cast<size_t>(b)];
    return left < right || (!(right < left) && a < b);
  });
  return samples;
}

}  // namespace hearth
