// Passes over rows of attention scores. For processors with AVX2.
#include "hearth/kernels/attention/attention_passes_lanes.h"
#include "hearth/kernels/lane_math_avx2.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

struct Avx2Scores {
  using Lanes = EightLanes;
  using Doubles = SumOfDoubles;
  static constexpr int64_t kWidth = kLanes;
  template <class Visit>
  static void for_each_group(int64_t size, const Visit& visit) {
    hearth::for_each_group(size, visit);
  }
  static __m256 or_unseen(const WholeLanes&, __m256 scores) { return scores; }
  static __m256 or_unseen(const FirstLanes& lanes, __m256 scores) {
    const __m256 unseen = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
    return _mm256_blendv_ps(unseen, scores, _mm256_castsi256_ps(lanes.mask));
  }
  static float largest_lane(__m256 v) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_shuffle_ps(half, half, 1)));
  }
  static float sum_of_lanes(__m256 v) { return sum_lanes(v); }
};

}  // namespace

AttentionPasses attention_passes_avx2() { return attention_passes_by<Avx2Scores>(); }

}  // namespace hearth
