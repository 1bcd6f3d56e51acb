// Products of rows with rows, without packing them as oneDNN does: few rows do not pay for it.
#pragma once

#include <cstdint>

namespace hearth {

// Rows of `inner` values each; `stride` values lie between the starts of two.
struct Rows {
  const float* values;
  int64_t count;
  int64_t stride;
};

// into[l, r] = the sum of left[l, k] * right[r, k] over `inner` values k. A sum's bits depend on
// its two rows alone, not on their neighbours. Only where `has_vector_unit()`.
void multiply_rows(const Rows& left, const Rows& right, int64_t inner, float* into, int64_t stride);

// What it chooses from.
void multiply_rows_avx2(const Rows& left, const Rows& right, int64_t inner, float* into,
                        int64_t stride);
void multiply_rows_avx512(const Rows& left, const Rows& right, int64_t inner, float* into,
                          int64_t stride);

}  // namespace hearth
