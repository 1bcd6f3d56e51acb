// Products of rows with rows. For processors with AVX-512.
#include "hearth/kernels/lanes_avx512.h"
#include "hearth/kernels/product/row_products_lanes.h"

namespace hearth {
namespace {

// Twenty-four running sums of thirty-two registers.
struct Avx512Unit {
  using Vector = __m512;
  static constexpr int kLeftGroup = 6;
  static constexpr int kRightGroup = 4;
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static __m256 halve(Vector values) {
    const __m512d pairs = _mm512_castps_pd(values);
    return _mm256_add_ps(_mm512_castps512_ps256(values),
                         _mm256_castpd_ps(_mm512_extractf64x4_pd(pairs, 1)));
  }
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    for_each_many_lanes(size, visit);
  }
};

}  // namespace

void multiply_rows_avx512(const Rows& left, const Rows& right, int64_t inner, float* into,
                          int64_t stride) {
  multiply_rows_by<Avx512Unit>(left, right, inner, into, stride);
}

}  // namespace hearth
