// What an update over many parameters does beside formulas: averages alone, and norms.
#include "hearth/kernels/update/multi_tensor_avx2.h"

#include "hearth/kernels/update/lane_values_avx2.h"

namespace hearth {
namespace {

struct StayingLanes {
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t, const Lanes&) const {
    return parameter;
  }
};

[[nodiscard]] __m256d squares_added(__m256d sum, __m128 values) {
  const __m256d wide = _mm256_cvtps_pd(values);
  return _mm256_fmadd_pd(wide, wide, sum);
}

template <class Gradient>
double squares_of(const UpdateSpan& span) {
  const Gradient gradient(span);
  __m256d low = _mm256_setzero_pd();
  __m256d high = _mm256_setzero_pd();
  for_each_group(span.size, [&](int64_t i, const auto& lanes) {
    const __m256 group = gradient.at(i, lanes);
    low = squares_added(low, _mm256_castps256_ps128(group));
    high = squares_added(high, _mm256_extractf128_ps(group, 1));
  });
  alignas(32) double sums[4];
  _mm256_store_pd(sums, _mm256_add_pd(low, high));
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace

void average_span_avx2(const UpdateSpan& span) { run_moving(span, StayingLanes()); }

double gradient_squares_avx2(const UpdateSpan& span) {
  if (span.gradient == nullptr) return 0;
  return span.more_count == 0 ? squares_of<OneGradient>(span) : squares_of<SummedGradient>(span);
}

}  // namespace hearth
