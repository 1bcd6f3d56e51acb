// Passes of a depthwise convolution. For processors with AVX-512.
#include "hearth/kernels/convolution/depthwise_lanes.h"
#include "hearth/kernels/lanes_avx512.h"

namespace hearth {
namespace {

struct Avx512Depthwise {
  using Vector = __m512;
  static constexpr int kPlaces = 6;
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector above_zero(Vector a) { return _mm512_max_ps(_mm512_setzero_ps(), a); }
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    for_each_many_lanes(size, visit);
  }
};

}  // namespace

DepthwiseKernels depthwise_kernels_avx512() { return kernels_of<Avx512Depthwise>(); }

}  // namespace hearth
