// Passes over the rows of a matrix that follow or precede a matrix product. For processors with
// AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// What is done to a matrix after its product; nothing where a pointer is null.
struct RowTail {
  const float* bias;    // a value a column
  const float* addend;  // a matrix with the same stride
  bool relu;
};

// values[r, c] += bias[c] + addend[r, c], then max(., 0) when asked for.
void add_tail_avx2(float* values, int64_t rows, int64_t columns, int64_t stride,
                   const RowTail& tail);
// into[i] = output[i] <= 0 ? 0 : gradient[i].
void mask_gradient_avx2(const float* gradient, const float* output, float* into, int64_t count);
// sums[c] = the sum of values[r, c] over all rows.
void sum_rows_avx2(const float* values, int64_t rows, int64_t columns, int64_t stride, float* sums);

}  // namespace hearth
