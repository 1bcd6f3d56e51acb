// Passes over rows of attention scores, for vectors of any width. Only for files that are compiled
// for one kind of processor: everything here is theirs alone.
#pragma once

#include <immintrin.h>

#include <limits>

#include "hearth/kernels/attention/attention_passes.h"
#include "hearth/kernels/exp_lanes.h"

namespace hearth {
namespace {

// Eight floats at a time.
struct SumOfDoubles {
  void add(__m256 values) {
    low = _mm256_add_pd(low, _mm256_cvtps_pd(_mm256_castps256_ps128(values)));
    high = _mm256_add_pd(high, _mm256_cvtps_pd(_mm256_extractf128_ps(values, 1)));
  }
  [[nodiscard]] double all() const {
    const __m256d sum = _mm256_add_pd(low, high);
    const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
  }
  __m256d low = _mm256_setzero_pd();
  __m256d high = _mm256_setzero_pd();
};

// Vectors of powers that may be added as floats before they join the sum of doubles.
constexpr int64_t kPowersTogether = 8;

// `Unit` has the Lanes' arithmetic, `kWidth` of them a vector, `for_each_group`, which gives what
// loads and stores, `or_unseen`, which makes lanes that are not there minus infinity; and
// `Doubles`, to which vectors are added; and sums and the largest of lanes.
template <class Unit>
float largest_score(const float* scores, int64_t count) {
  using Lanes = typename Unit::Lanes;
  auto largest = Lanes::all(-std::numeric_limits<float>::infinity());
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    largest = Lanes::larger(largest, Unit::or_unseen(lanes, lanes.load(scores + i)));
  });
  return Unit::largest_lane(largest);
}

// scores[0, count) become exp(score - largest); gives their sum.
template <class Unit, int64_t Together>
double raise_scores(float* scores, int64_t count, float largest) {
  using Lanes = typename Unit::Lanes;
  const auto moved_by = Lanes::all(largest);
  typename Unit::Doubles sum;
  constexpr int64_t kMost = Together * Unit::kWidth;
  for (int64_t first = 0; first < count; first += kMost) {
    const int64_t left = count - first;
    auto some = Lanes::all(0);
    Unit::for_each_group(left < kMost ? left : kMost, [&](int64_t i, const auto& lanes) {
      float* at = scores + first + i;
      const auto moved = Lanes::subtract(Unit::or_unseen(lanes, lanes.load(at)), moved_by);
      const auto power = exp_lanes<Lanes>(moved);
      some = Lanes::add(some, power);
      lanes.store(at, power);
    });
    sum.add(some);
  }
  return sum.all();
}

template <class Unit, int64_t Together>
ExpSum softmax_by(float* scores, int64_t count, float share) {
  using Lanes = typename Unit::Lanes;
  const float largest = largest_score<Unit>(scores, count);
  const double sum = raise_scores<Unit, Together>(scores, count, largest);
  const auto factor = Lanes::all(static_cast<float>(share / sum));
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    lanes.store(scores + i, Lanes::multiply(lanes.load(scores + i), factor));
  });
  return {largest, sum};
}

template <class Unit>
void softmax_gradient_by(const SoftmaxGradientPass& p, int64_t count) {
  using Lanes = typename Unit::Lanes;
  const auto largest = Lanes::all(p.largest);
  const auto factor = Lanes::all(p.factor);
  const auto product = Lanes::all(p.product);
  const auto scale = Lanes::all(p.scale);
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    const auto moved = Lanes::subtract(lanes.load(p.scores + i), largest);
    const auto weight = Lanes::multiply(exp_lanes<Lanes>(moved), factor);
    const auto pull = Lanes::subtract(lanes.load(p.gradients + i), product);
    lanes.store(p.scores + i, weight);
    lanes.store(p.gradients + i, Lanes::multiply(Lanes::multiply(weight, pull), scale));
  });
}

template <class Unit>
float dot_by(const float* left, const float* right, int64_t count) {
  using Lanes = typename Unit::Lanes;
  auto sums = Lanes::all(0);
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    sums = Lanes::multiply_add(lanes.load(left + i), lanes.load(right + i), sums);
  });
  return Unit::sum_of_lanes(sums);
}

template <class Unit>
AttentionPasses attention_passes_by() {
  return {softmax_by<Unit, kPowersTogether>, softmax_by<Unit, 1>, softmax_gradient_by<Unit>,
          dot_by<Unit>};
}

}  // namespace
}  // namespace hearth
