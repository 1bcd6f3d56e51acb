// Products of matrices whose sums are taken in short pieces. For processors with AVX2.
#include "hearth/kernels/convolution/piece_products_avx2.h"

#include <immintrin.h>

namespace hearth {
namespace {

constexpr int64_t kPiece = 8;        // values summed before they are added to those of a group
constexpr int64_t kGroup = 32;       // values summed before they are added to the others
constexpr int64_t kPanelRows = 256;  // of the right matrix that stay in the first-level cache
constexpr int kVectorLanes = 8;
// Twelve running sums leave room for the values they are made of in sixteen registers.
constexpr int kGroupRows = 6;
constexpr int kGroupVectors = 2;

int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// Columns of the right matrix, one row behind the other; vectors that are not there stay unread.
struct Panel {
  alignas(32) float values[kPanelRows * kGroupVectors * kVectorLanes];
  int64_t first;  // row of the right matrix
  int64_t rows;

  [[nodiscard]] float* at(int64_t row) { return values + row * kGroupVectors * kVectorLanes; }
  [[nodiscard]] const float* at(int64_t row) const {
    return values + row * kGroupVectors * kVectorLanes;
  }

  void fill(const PieceProduct& p, int64_t column, int64_t columns, int64_t first_row,
            int64_t count) {
    first = first_row;
    rows = count;
    if (p.is_right_transposed) {
      for (int64_t c = 0; c < columns; ++c) {
        const float* from = p.right + (column + c) * p.right_stride + first;
        for (int64_t r = 0; r < rows; ++r) at(r)[c] = from[r];
      }
      return;
    }
    for (int64_t r = 0; r < rows; ++r) {
      const float* from = p.right + (first + r) * p.right_stride + column;
      for (int64_t c = 0; c < columns; ++c) at(r)[c] = from[c];
    }
  }
};

template <int Rows, int Vectors>
struct PieceSums {
  __m256 sums[Rows][Vectors] = {};

  void add(const float* left, int64_t stride, const float* right) {
    __m256 factors[Vectors];
    for (int v = 0; v < Vectors; ++v) factors[v] = _mm256_load_ps(right + v * kVectorLanes);
    for (int r = 0; r < Rows; ++r) {
      const __m256 factor = _mm256_broadcast_ss(left + r * stride);
      for (int v = 0; v < Vectors; ++v)
        sums[r][v] = _mm256_fmadd_ps(factor, factors[v], sums[r][v]);
    }
  }

  void add(const PieceSums& other) {
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v) sums[r][v] = _mm256_add_ps(sums[r][v], other.sums[r][v]);
  }

  void store(float* into, int64_t stride, bool adds) const {
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v) {
        float* to = into + r * stride + v * kVectorLanes;
        _mm256_storeu_ps(to, adds ? _mm256_add_ps(sums[r][v], _mm256_loadu_ps(to)) : sums[r][v]);
      }
  }
};

// Of the rows from `begin` up to `end` of a panel.
template <int Rows, int Vectors>
PieceSums<Rows, Vectors> piece_of(const PieceProduct& p, const float* left, const Panel& panel,
                                  int64_t begin, int64_t end) {
  PieceSums<Rows, Vectors> piece;
  for (int64_t k = begin; k < end; ++k) piece.add(left + k, p.inner, panel.at(k));
  return piece;
}

template <int Rows, int Vectors>
void multiply_panel(const PieceProduct& p, const Panel& panel, int64_t row, int64_t column) {
  const float* left = p.left + row * p.inner + panel.first;
  float* into = p.into + row * p.columns + column;
  for (int64_t first = 0; first < panel.rows; first += kGroup) {
    const int64_t last = smaller(first + kGroup, panel.rows);
    PieceSums<Rows, Vectors> group =
        piece_of<Rows, Vectors>(p, left, panel, first, smaller(first + kPiece, last));
    for (int64_t begin = first + kPiece; begin < last; begin += kPiece)
      group.add(piece_of<Rows, Vectors>(p, left, panel, begin, smaller(begin + kPiece, last)));
    group.store(into, p.columns, panel.first + first > 0);
  }
}

template <int Vectors>
void multiply_columns(const PieceProduct& p, int64_t column) {
  Panel panel;
  for (int64_t first = 0; first < p.inner; first += kPanelRows) {
    const int64_t left = p.inner - first;
    panel.fill(p, column, Vectors * kVectorLanes, first, left < kPanelRows ? left : kPanelRows);
    int64_t row = 0;
    for (; row + kGroupRows <= p.rows; row += kGroupRows)
      multiply_panel<kGroupRows, Vectors>(p, panel, row, column);
    for (; row + 2 <= p.rows; row += 2) multiply_panel<2, Vectors>(p, panel, row, column);
    if (row < p.rows) multiply_panel<1, Vectors>(p, panel, row, column);
  }
}

}  // namespace

void multiply_in_pieces_avx2(const PieceProduct& product) {
  int64_t column = 0;
  for (; column + kGroupVectors * kVectorLanes <= product.columns;
       column += kGroupVectors * kVectorLanes)
    multiply_columns<kGroupVectors>(product, column);
  if (column < product.columns) multiply_columns<1>(product, column);
}

}  // namespace hearth
