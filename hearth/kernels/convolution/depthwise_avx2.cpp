// Passes of a depthwise convolution. For processors with AVX2.
#include "hearth/kernels/convolution/depthwise_lanes.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// Four sums beside a row of the window fit into sixteen registers.
struct Avx2Depthwise {
  using Vector = __m256;
  static constexpr int kPlaces = 4;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector above_zero(Vector a) { return _mm256_max_ps(_mm256_setzero_ps(), a); }
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    hearth::for_each_group(size, visit);
  }
};

}  // namespace

DepthwiseKernels depthwise_kernels_avx2() { return kernels_of<Avx2Depthwise>(); }

}  // namespace hearth
