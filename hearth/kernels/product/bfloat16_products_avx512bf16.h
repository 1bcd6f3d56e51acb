// Matrix products whose factors are rounded to bfloat16 and whose sums are float32. For processors
// with AVX-512's instructions for bfloat16.
#pragma once

#include <cstdint>

namespace hearth {

// into[m, n] = scale * left[m, k] * right[k, n] + keep * into; everything lies by rows, with so
// many values between the starts of two.
struct Bfloat16Product {
  int64_t rows;
  int64_t columns;
  int64_t inner;
  const float* left;
  int64_t left_stride;
  bool is_left_transposed;  // [k, m]
  const float* right;
  int64_t right_stride;
  bool is_right_transposed;  // [n, k]
  float* into;
  int64_t stride;
  float scale;
  float keep;  // 0: what is in `into` is not read
};

// Values of memory, at multiples of 64 bytes, that a product needs for its right side.
[[nodiscard]] int64_t bfloat16_panel_size(int64_t columns, int64_t inner);
// In the thread that calls it. A sum's bits depend on its row and its column alone, not on how many
// there are beside them.
void multiply_avx512bf16(const Bfloat16Product& product, uint32_t* panels);

}  // namespace hearth
