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

struct SumOfHalves : SumOfDoubles {
  using SumOfDoubles::add;
  void add(__m512 values) {
    add(_mm512_castps512_ps256(values));
    add(upper_half(values));
  }
};

struct Avx512Scores {
  using Lanes = SixteenLanes;
  using Doubles = SumOfHalves;
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
