// Passes over the rows of a matrix that follow or precede a matrix product. For processors with
// AVX2.
#include "hearth/kernels/product/rows_avx2.h"

namespace hearth {

void add_tail_avx2(float* values, int64_t rows, int64_t columns, int64_t stride,
                   const RowTail& tail) {
  for (int64_t r = 0; r < rows; ++r) {
    float* __restrict row = values + r * stride;
    if (tail.bias != nullptr) {
      const float* __restrict bias = tail.bias;
      for (int64_t c = 0; c < columns; ++c) row[c] += bias[c];
    }
    if (tail.addend != nullptr) {
      const float* __restrict more = tail.addend + r * stride;
      for (int64_t c = 0; c < columns; ++c) row[c] += more[c];
    }
    if (tail.relu) {
      for (int64_t c = 0; c < columns; ++c) row[c] = row[c] < 0 ? 0 : row[c];
    }
  }
}

void mask_gradient_avx2(const float* __restrict gradient, const float* __restrict output,
                        float* __restrict into, int64_t count) {
  for (int64_t i = 0; i < count; ++i) into[i] = output[i] <= 0 ? 0 : gradient[i];
}

void sum_rows_avx2(const float* values, int64_t rows, int64_t columns, int64_t stride,
                   float* __restrict sums) {
  for (int64_t c = 0; c < columns; ++c) sums[c] = 0;
  int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const float* __restrict row = values + r * stride;
    for (int64_t c = 0; c < columns; ++c)
      sums[c] += (row[c] + row[stride + c]) + (row[2 * stride + c] + row[3 * stride + c]);
  }
  for (; r < rows; ++r) {
    const float* __restrict row = values + r * stride;
    for (int64_t c = 0; c < columns; ++c) sums[c] += row[c];
  }
}

}  // namespace hearth
