// Products of rows with rows, for vectors of any width. Only for files that are compiled for one
// kind of processor: everything here is theirs alone.
#pragma once

#include <type_traits>

#include "hearth/kernels/lanes_avx2.h"
#include "hearth/kernels/product/row_products.h"

namespace hearth {
namespace {

// `Unit` has a Vector; `multiply_add`; `halve`, which adds a vector's halves until eight lanes are
// left; and `for_each_group`, which loads.
template <class Unit, int Left, int Right>
struct RowSums {
  using Vector = typename Unit::Vector;
  Vector sums[Left][Right] = {};

  template <class Lanes>
  void add(const float* left, int64_t left_stride, const float* right, int64_t right_stride,
           const Lanes& lanes) {
    Vector factors[Right];
    for (int r = 0; r < Right; ++r) factors[r] = lanes.load(right + r * right_stride);
    for (int l = 0; l < Left; ++l) {
      const Vector factor = lanes.load(left + l * left_stride);
      for (int r = 0; r < Right; ++r)
        sums[l][r] = Unit::multiply_add(factor, factors[r], sums[l][r]);
    }
  }
};

// The sum of each vector's lanes; four at a time, since sums across lanes are slow. Always in the
// same order, so that a sum does not depend on how many there are beside it.
template <class Unit, int Left, int Right>
inline void store_sums(const RowSums<Unit, Left, Right>& all, float* into, int64_t stride) {
  constexpr int kCount = Left * Right;
  for (int first = 0; first < kCount; first += 4) {
    __m256 eight[4] = {};
    for (int i = 0; i < 4 && first + i < kCount; ++i)
      eight[i] = Unit::halve(all.sums[(first + i) / Right][(first + i) % Right]);
    const __m256 pairs = _mm256_hadd_ps(_mm256_hadd_ps(eight[0], eight[1]),  //
                                        _mm256_hadd_ps(eight[2], eight[3]));
    alignas(16) float sums[4];
    _mm_store_ps(sums, _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1)));
    for (int i = 0; i < 4 && first + i < kCount; ++i)
      into[(first + i) / Right * stride + (first + i) % Right] = sums[i];
  }
}

template <class Unit, int Left, int Right>
void multiply_group(const Rows& left, const Rows& right, int64_t inner, float* into,
                    int64_t stride) {
  RowSums<Unit, Left, Right> all;
  Unit::for_each_group(inner, [&](int64_t k, const auto& lanes) {
    all.add(left.values + k, left.stride, right.values + k, right.stride, lanes);
  });
  store_sums(all, into, stride);
}

inline Rows rows_from(const Rows& rows, int64_t first) {
  return {rows.values + first * rows.stride, rows.count - first, rows.stride};
}

// Calls visit(first, size) with a constant size: whole groups, then single rows.
template <int Group, class Visit>
inline void for_row_groups(int64_t count, const Visit& visit) {
  int64_t row = 0;
  for (; row + Group <= count; row += Group) visit(row, std::integral_constant<int, Group>());
  for (; row < count; ++row) visit(row, std::integral_constant<int, 1>());
}

template <class Unit>
void multiply_rows_by(const Rows& left, const Rows& right, int64_t inner, float* into,
                      int64_t stride) {
  for_row_groups<Unit::kLeftGroup>(left.count, [&](int64_t l, auto left_size) {
    for_row_groups<Unit::kRightGroup>(right.count, [&](int64_t r, auto right_size) {
      multiply_group<Unit, decltype(left_size)::value, decltype(right_size)::value>(
          rows_from(left, l), rows_from(right, r), inner, into + l * stride + r, stride);
    });
  });
}

}  // namespace
}  // namespace hearth
