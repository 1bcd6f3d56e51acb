// Products of matrices whose sums are taken in short pieces, each in registers of its own: half the
// rounding error of one long sum. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// into[r, c] = the sum of left[r, k] * right[k, c] over `inner` values k. `left` and `into` have no
// gaps between rows; `columns` come in eights.
struct PieceProduct {
  int64_t rows;
  int64_t columns;
  int64_t inner;
  const float* left;
  const float* right;
  int64_t right_stride;
  bool is_right_transposed;  // right[k, c] lies at right[c * right_stride + k]
  float* into;
};
void multiply_in_pieces_avx2(const PieceProduct& product);

}  // namespace hearth
