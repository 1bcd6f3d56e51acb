// Products of rows with rows, without packing them. For processors with AVX2.
#include "hearth/kernels/product/row_products_avx2.h"

#include <type_traits>

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// Twelve running sums leave room for the values they are made of in sixteen registers.
constexpr int kLeftGroup = 4;
constexpr int kRightGroup = 3;

template <int Left, int Right>
struct RowSums {
  __m256 sums[Left][Right] = {};

  template <class Lanes>
  void add(const float* left, int64_t left_stride, const float* right, int64_t right_stride,
           const Lanes& lanes) {
    __m256 factors[Right];
    for (int r = 0; r < Right; ++r) factors[r] = lanes.load(right + r * right_stride);
    for (int l = 0; l < Left; ++l) {
      const __m256 factor = lanes.load(left + l * left_stride);
      for (int r = 0; r < Right; ++r) sums[l][r] = _mm256_fmadd_ps(factor, factors[r], sums[l][r]);
    }
  }
};

template <int Left, int Right>
void multiply_group(const Rows& left, const Rows& right, int64_t inner, float* into,
                    int64_t stride) {
  RowSums<Left, Right> all;
  for_each_group(inner, [&](int64_t k, const auto& lanes) {
    all.add(left.values + k, left.stride, right.values + k, right.stride, lanes);
  });
  for (int l = 0; l < Left; ++l)
    for (int r = 0; r < Right; ++r) into[l * stride + r] = sum_lanes(all.sums[l][r]);
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

}  // namespace

void multiply_rows_avx2(const Rows& left, const Rows& right, int64_t inner, float* into,
                        int64_t stride) {
  for_row_groups<kLeftGroup>(left.count, [&](int64_t l, auto left_size) {
    for_row_groups<kRightGroup>(right.count, [&](int64_t r, auto right_size) {
      multiply_group<decltype(left_size)::value, decltype(right_size)::value>(
          rows_from(left, l), rows_from(right, r), inner, into + l * stride + r, stride);
    });
  });
}

}  // namespace hearth
