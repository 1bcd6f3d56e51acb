// Sums of rows by weights. For processors with AVX2.
#include "hearth/kernels/attention/weighted_rows_avx2.h"

#include <immintrin.h>

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// Vectors whose sums stay in registers.
constexpr int64_t kColumnVectors = 8;

template <int Vectors, class Lanes>
void sum_columns(const float* weights, int64_t count, const float* rows, int64_t width,
                 const Lanes& lanes, float* into) {
  __m256 sums[Vectors];
  for (int v = 0; v < Vectors; ++v) sums[v] = _mm256_setzero_ps();
  for (int64_t r = 0; r < count; ++r) {
    const __m256 weight = _mm256_broadcast_ss(weights + r);
    for (int v = 0; v < Vectors; ++v)
      sums[v] = _mm256_fmadd_ps(weight, lanes.load(rows + r * width + v * kLanes), sums[v]);
  }
  for (int v = 0; v < Vectors; ++v) lanes.store(into + v * kLanes, sums[v]);
}

}  // namespace

void sum_weighted_rows_avx2(const float* weights, int64_t count, const float* rows, int64_t width,
                            float* into) {
  constexpr int64_t kWide = kColumnVectors * kLanes;
  constexpr int64_t kHalf = kWide / 2;
  int64_t k = 0;
  for (; k + kWide <= width; k += kWide)
    sum_columns<kColumnVectors>(weights, count, rows + k, width, WholeLanes(), into + k);
  for (; k + kHalf <= width; k += kHalf)
    sum_columns<kColumnVectors / 2>(weights, count, rows + k, width, WholeLanes(), into + k);
  for (; k + kLanes <= width; k += kLanes)
    sum_columns<1>(weights, count, rows + k, width, WholeLanes(), into + k);
  if (k < width) sum_columns<1>(weights, count, rows + k, width, FirstLanes(width - k), into + k);
}

}  // namespace hearth
