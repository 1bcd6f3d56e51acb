// Passes over rows of attention scores. For processors with AVX-512.
#include "hearth/kernels/attention/attention_passes_lanes.h"
#include "hearth/kernels/lane_math_avx512.h"
#include "hearth/kernels/lanes_avx2.h"
#include "hearth/kernels/lanes_avx512.h"

namespace hearth {
namespace {

__m256 upper_half(__m512 values) {
  return _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(values), 1));
}

struct EightPairsOfDoubles {
  void add(__m512 values) {
    low = _mm512_add_pd(low, _mm512_cvtps_pd(_mm512_castps512_ps256(values)));
    high = _mm512_add_pd(high, _mm512_cvtps_pd(upper_half(values)));
  }
  [[nodiscard]] double all() const {
    const __m512d eight = _mm512_add_pd(low, high);
    const __m256d four =
        _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
    const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
  }
  __m512d low = _mm512_setzero_pd();
  __m512d high = _mm512_setzero_pd();
};

struct Avx512Scores {
  using Lanes = SixteenLanes;
  using Doubles = EightPairsOfDoubles;
  static constexpr int64_t kWidth = kManyLanes;
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    for_each_many_lanes(size, visit);
  }
  static __m512 or_unseen(const WholeManyLanes&, __m512 scores) { return scores; }
  static __m512 or_unseen(const FirstManyLanes& lanes, __m512 scores) {
    const __m512 unseen = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
    return _mm512_mask_blend_ps(lanes.mask, unseen, scores);
  }
  static float largest_lane(__m512 v) {
    const __m256 eight = _mm256_max_ps(_mm512_castps512_ps256(v), upper_half(v));
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_shuffle_ps(half, half, 1)));
  }
  static float sum_of_lanes(__m512 v) {
    return sum_lanes(_mm256_add_ps(_mm512_castps512_ps256(v), upper_half(v)));
  }
};

}  // namespace

AttentionPasses attention_passes_avx512() { return attention_passes_by<Avx512Scores>(); }

}  // namespace hearth
