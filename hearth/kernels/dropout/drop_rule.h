// Rows of which some values become zero, by numbers that follow from their places: who asks again
// gets the same.
#pragma once

#include <cstdint>

namespace hearth {

struct DropRule {
  uint64_t seed = 0;
  double share = 0;  // below 1

  // Numbers below it drop a value.
  [[nodiscard]] uint32_t limit() const;
  // What the others are multiplied by.
  [[nodiscard]] float factor() const;
  // The row's two keys, of 32 bits each.
  [[nodiscard]] uint64_t keys(int64_t row) const;
};

// output[i] = input[i] * (0 or the factor); in place if both are the same.
void drop_row(const DropRule& rule, int64_t row, const float* input, float* output, int64_t count);

}  // namespace hearth
