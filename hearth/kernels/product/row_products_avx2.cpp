// Products of rows with rows. For processors with AVX2.
#include "hearth/kernels/product/row_products_lanes.h"

namespace hearth {
namespace {

// Twelve running sums leave room for the values they are made of in sixteen registers.
struct Avx2Unit {
  using Vector = __m256;
  static constexpr int kLeftGroup = 4;
  static constexpr int kRightGroup = 3;
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static __m256 halve(Vector values) { return values; }
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    hearth::for_each_group(size, visit);
  }
};

}  // namespace

void multiply_rows_avx2(const Rows& left, const Rows& right, int64_t inner, float* into,
                        int64_t stride) {
  multiply_rows_by<Avx2Unit>(left, right, inner, into, stride);
}

}  // namespace hearth
