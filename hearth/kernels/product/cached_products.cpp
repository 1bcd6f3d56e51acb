// Products of matrices that lie in the cache: by the widest vectors there are.
#include "hearth/kernels/product/cached_products.h"

#include "hearth/kernels/kernels.h"

namespace hearth {
namespace {

constexpr int64_t kWidestPanel = 32;  // columns

}  // namespace

void multiply_cached(const CachedProduct& product) {
  const auto multiply = has_wide_vector_unit() ? multiply_cached_avx512 : multiply_cached_avx2;
  multiply(product);
}

void pack_right_side(const UnpackedRight& right, float* into) {
  const auto pack = has_wide_vector_unit() ? pack_right_side_avx512 : pack_right_side_avx2;
  pack(right, into);
}

int64_t packed_size(int64_t columns, int64_t inner) {
  return (columns + kWidestPanel - 1) / kWidestPanel * kWidestPanel * inner;
}

}  // namespace hearth
