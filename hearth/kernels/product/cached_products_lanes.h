// Products of matrices that lie in the cache, for vectors of any width. Only for files that are
// compiled for one kind of processor: everything here is theirs alone.
#pragma once

#include <type_traits>

#include "hearth/kernels/lanes_avx2.h"
#include "hearth/kernels/product/cached_products.h"

namespace hearth {
namespace {

// `Unit` has the Lanes' arithmetic, `kWidth` of them a vector; the Whole and the First of them,
// which load and store; and as many `kTileRows` as two vectors each leave registers for.
template <class Unit>
constexpr int64_t kPanelColumns = 2 * Unit::kWidth;  // of a packed right side, one behind the other

// Values that are summed in one go: longer sums lose digits.
constexpr int64_t kPiece = 256;

// Walks along the values of some rows of a left side, of which a tile takes one for every sum.
// Every third row has a pointer: an address can add the stride once or twice by itself.
struct RowsApart {
  template <int Rows>
  struct Walk {
    Walk(const CachedLeft& left, int64_t row, int64_t k) : stride(left.stride) {
      for (int group = 0; group < kGroups; ++group)
        groups[group] = left.values + (row + 3 * group) * stride + k;
    }
    [[nodiscard]] float at(int row) const { return groups[row / 3][row % 3 * stride]; }
    void go_on() {
      for (const float*& group : groups) ++group;
    }
    static constexpr int kGroups = (Rows + 2) / 3;
    int64_t stride;
    const float* groups[kGroups];
  };
};
struct RowsBeside {
  template <int Rows>
  struct Walk {
    Walk(const CachedLeft& left, int64_t row, int64_t k)
        : stride(left.stride), values(left.values + k * stride + row) {}
    [[nodiscard]] float at(int row) const { return values[row]; }
    void go_on() { values += stride; }
    int64_t stride;
    const float* values;
  };
};

// A product's columns that are taken together, and what loads and stores their last vector.
template <class Last>
struct PanelColumns {
  int64_t first;
  const float* right;
  int64_t stride;
  float* into;
  Last last;
};

// The rows of a right side that a tile's rows need.
struct InnerRange {
  InnerRange(const CachedProduct& p, int64_t row, int64_t rows) : begin(0), end(p.inner) {
    if (p.triangle == Triangle::kInner) end = p.inner - p.rows + row + rows;
    if (p.triangle == Triangle::kTurnedInner && row > p.rows - p.inner)
      begin = row - (p.rows - p.inner);
  }
  int64_t begin;
  int64_t end;
};

inline bool is_beyond(const CachedProduct& p, int64_t row, int64_t rows, int64_t column) {
  return p.triangle == Triangle::kColumns && column >= p.columns - p.rows + row + rows;
}

// The sums of a tile's rows over a piece of the right side.
template <class Unit, int Rows, int Vectors>
struct TileSums {
  using Lanes = typename Unit::Lanes;
  using Vector = typename Lanes::Vector;
  static constexpr int kLast = Vectors - 1;

  template <class Walk, class Last>
  void add_row(const Walk& left, const float* right, const Last& last) {
    Vector factors[Vectors];
    for (int v = 0; v < kLast; ++v) factors[v] = whole.load(right + v * Unit::kWidth);
    factors[kLast] = last.load(right + kLast * Unit::kWidth);
    for (int r = 0; r < Rows; ++r) {
      const Vector factor = Lanes::all(left.at(r));
      for (int v = 0; v < Vectors; ++v)
        sums[r][v] = Lanes::multiply_add(factor, factors[v], sums[r][v]);
    }
  }

  template <class Last>
  void store(const CachedProduct& p, float* into, bool adds, const Last& last) const {
    const Vector scale = Lanes::all(p.scale);
    for (int r = 0; r < Rows; ++r) {
      const auto store_vector = [&](int v, const auto& lanes) {
        float* to = into + r * p.stride + v * Unit::kWidth;
        const Vector scaled = Lanes::multiply(sums[r][v], scale);
        lanes.store(to, adds ? Lanes::add(scaled, lanes.load(to)) : scaled);
      };
      for (int v = 0; v < kLast; ++v) store_vector(v, whole);
      store_vector(kLast, last);
    }
  }

  Vector sums[Rows][Vectors] = {};
  typename Unit::Whole whole;
};

template <class Unit, int Rows, int Vectors, class Left, class Last>
void multiply_tile(const CachedProduct& p, int64_t row, const PanelColumns<Last>& panel) {
  const InnerRange range(p, row, Rows);
  typename Left::template Walk<Rows> left(p.left, row, range.begin);
  const float* right = panel.right + range.begin * panel.stride;
  for (int64_t k = range.begin; k < range.end;) {
    const bool adds = p.adds || k > range.begin;
    const int64_t end = k + kPiece < range.end ? k + kPiece : range.end;
    TileSums<Unit, Rows, Vectors> sums;
    for (; k < end; ++k) {
      sums.add_row(left, right, panel.last);
      left.go_on();
      right += panel.stride;
    }
    sums.store(p, panel.into + row * p.stride, adds, panel.last);
  }
}

// Calls visit with the constant that a number up to it equals.
template <int Most, class Visit>
inline void with_constant(int64_t number, const Visit& visit) {
  if constexpr (Most > 1) {
    if (number < Most) return with_constant<Most - 1>(number, visit);
  }
  visit(std::integral_constant<int, Most>());
}

// Tiles that differ by one row at most: one of few rows would leave the multipliers waiting.
template <class Unit, class Left, int Vectors, class Last>
void multiply_panel(const CachedProduct& p, const PanelColumns<Last>& panel) {
  int64_t tiles = (p.rows + Unit::kTileRows - 1) / Unit::kTileRows;
  for (int64_t row = 0; tiles > 0; --tiles) {
    const int64_t rows = (p.rows - row + tiles - 1) / tiles;
    if (!is_beyond(p, row, rows, panel.first)) {
      with_constant<Unit::kTileRows>(rows, [&](auto count) {
        multiply_tile<Unit, decltype(count)::value, Vectors, Left>(p, row, panel);
      });
    }
    row += rows;
  }
}

template <class Unit, class Left>
void multiply_columns(const CachedProduct& p) {
  constexpr int64_t kWidth = Unit::kWidth;
  constexpr int64_t kColumns = kPanelColumns<Unit>;
  const bool is_packed = p.right.packed_inner > 0;
  const int64_t stride = is_packed ? kColumns : p.right.stride;
  const int64_t step =
      is_packed ? p.right.packed_inner : 1;  // from a column to the next, between panels
  for (int64_t column = 0; column < p.columns; column += kColumns) {
    const int64_t count = p.columns - column;
    const float* right = p.right.values + column * step;
    float* into = p.into + column;
    if (count >= kColumns) {
      multiply_panel<Unit, Left, 2>(
          p, PanelColumns<typename Unit::Whole>{column, right, stride, into, {}});
    } else if (count > kWidth) {
      multiply_panel<Unit, Left, 2>(
          p, PanelColumns<typename Unit::First>{column, right, stride, into,
                                                typename Unit::First(count - kWidth)});
    } else if (count == kWidth) {
      multiply_panel<Unit, Left, 1>(
          p, PanelColumns<typename Unit::Whole>{column, right, stride, into, {}});
    } else {
      multiply_panel<Unit, Left, 1>(
          p, PanelColumns<typename Unit::First>{column, right, stride, into,
                                                typename Unit::First(count)});
    }
  }
}

template <class Unit>
void multiply_cached_by(const CachedProduct& p) {
  if (p.left.is_turned) return multiply_columns<Unit, RowsBeside>(p);
  multiply_columns<Unit, RowsApart>(p);
}

// Eight rows of eight become columns, `step` apart.
inline void turn_eight(const float* rows, int64_t stride, float* into, int64_t step) {
  __m256 pairs[8];
  for (int i = 0; i < 8; i += 2) {
    const __m256 even = _mm256_loadu_ps(rows + i * stride);
    const __m256 odd = _mm256_loadu_ps(rows + (i + 1) * stride);
    pairs[i] = _mm256_unpacklo_ps(even, odd);
    pairs[i + 1] = _mm256_unpackhi_ps(even, odd);
  }
  // fours[4 h + c] holds rows 4 h to 4 h + 3 of columns c and c + 4.
  __m256 fours[8];
  for (int i = 0; i < 8; i += 4) {
    fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xEE);
    fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xEE);
  }
  for (int c = 0; c < 4; ++c) {
    _mm256_storeu_ps(into + c * step, _mm256_permute2f128_ps(fours[c], fours[4 + c], 0x20));
    _mm256_storeu_ps(into + (4 + c) * step, _mm256_permute2f128_ps(fours[c], fours[4 + c], 0x31));
  }
}

// Columns that lie as rows.
template <class Unit>
void pack_turned(const UnpackedRight& right, float* into) {
  constexpr int64_t kColumns = kPanelColumns<Unit>;
  const int64_t eights = right.inner / 8 * 8;
  for (int64_t column = 0; column < right.columns;) {
    const int64_t within = column % kColumns;
    float* panel = into + (column - within) * right.inner + within;
    const float* rows = right.values + column * right.stride;
    const int64_t count = right.columns - column >= 8 ? 8 : 1;
    const int64_t turned = count == 8 ? eights : 0;
    for (int64_t k = 0; k < turned; k += 8)
      turn_eight(rows + k, right.stride, panel + k * kColumns, kColumns);
    for (int64_t c = 0; c < count; ++c)
      for (int64_t k = turned; k < right.inner; ++k)
        panel[k * kColumns + c] = rows[c * right.stride + k];
    column += count;
  }
}

// One panel behind the other, each [inner, kPanelColumns]; columns that are not there stay as they
// are.
template <class Unit>
void pack_right_side_by(const UnpackedRight& right, float* into) {
  if (right.is_turned) return pack_turned<Unit>(right, into);
  constexpr int64_t kColumns = kPanelColumns<Unit>;
  for (int64_t column = 0; column < right.columns; column += kColumns) {
    const int64_t there = right.columns - column;
    const int64_t count = there < kColumns ? there : kColumns;
    float* panel = into + column * right.inner;
    for (int64_t k = 0; k < right.inner; ++k)
      for_each_group(count, [&](int64_t c, const auto& lanes) {
        lanes.store(panel + k * kColumns + c,
                    lanes.load(right.values + k * right.stride + column + c));
      });
  }
}

}  // namespace
}  // namespace hearth
