// What formulas of updates compute with, in vectors of eight floats, and the loop over a parameter.
// Every sum of products is an explicit fused one, and the last few values go through the same
// instructions under a mask: a value's result does not depend on where it stands. tensor_values.h
// is its twin. Only for files that are compiled for AVX2 and FMA.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>

#include "hearth/kernels/lanes_avx2.h"
#include "hearth/kernels/update/update_rule.h"

namespace hearth {

// Eight values, or a number eight times.
struct LaneValues {
  __m256 lanes;
};

inline LaneValues scaled(LaneValues values, LaneValues by) {
  return {_mm256_mul_ps(by.lanes, values.lanes)};
}
inline LaneValues plus(LaneValues values, LaneValues number) {
  return {_mm256_add_ps(values.lanes, number.lanes)};
}
inline LaneValues minus(LaneValues left, LaneValues right) {
  return {_mm256_sub_ps(left.lanes, right.lanes)};
}
inline LaneValues product(LaneValues left, LaneValues right) {
  return {_mm256_mul_ps(left.lanes, right.lanes)};
}
inline LaneValues quotient(LaneValues left, LaneValues right) {
  return {_mm256_div_ps(left.lanes, right.lanes)};
}
inline LaneValues root(LaneValues values) { return {_mm256_sqrt_ps(values.lanes)}; }
inline LaneValues absolute(LaneValues values) {
  return {_mm256_andnot_ps(_mm256_set1_ps(-0.0F), values.lanes)};
}
// The bits of a comparison that fails for what is not a number are themselves none.
inline __m256 none_where_unordered(__m256 values, __m256 left, __m256 right) {
  return _mm256_or_ps(values, _mm256_cmp_ps(left, right, _CMP_UNORD_Q));
}
inline LaneValues sign_of(LaneValues values) {
  const __m256 one =
      _mm256_or_ps(_mm256_and_ps(values.lanes, _mm256_set1_ps(-0.0F)), _mm256_set1_ps(1.0F));
  const __m256 has_sign = _mm256_cmp_ps(values.lanes, _mm256_setzero_ps(), _CMP_NEQ_UQ);
  return {none_where_unordered(_mm256_and_ps(one, has_sign), values.lanes, values.lanes)};
}
inline LaneValues greater(LaneValues left, LaneValues right) {
  return {none_where_unordered(_mm256_max_ps(left.lanes, right.lanes), left.lanes, right.lanes)};
}
inline LaneValues at_least_zero(LaneValues values) {
  return greater(values, {_mm256_setzero_ps()});
}
inline LaneValues plus_scaled(LaneValues left, LaneValues by, LaneValues right) {
  return {_mm256_fmadd_ps(by.lanes, right.lanes, left.lanes)};
}
inline LaneValues minus_scaled(LaneValues left, LaneValues by, LaneValues right) {
  return {_mm256_fnmadd_ps(by.lanes, right.lanes, left.lanes)};
}
inline LaneValues minus_quotient(LaneValues left, LaneValues by, LaneValues above,
                                 LaneValues below) {
  return minus_scaled(left, by, quotient(above, below));
}
inline LaneValues mixed(LaneValues left, LaneValues keep, LaneValues right, LaneValues take) {
  return plus_scaled(scaled(left, keep), take, right);
}
inline LaneValues mixed_square(LaneValues left, LaneValues keep, LaneValues right,
                               LaneValues take) {
  return plus_scaled(scaled(left, keep), scaled(right, take), right);
}
inline LaneValues plus_square(LaneValues left, LaneValues right) {
  return plus_scaled(left, right, right);
}
inline LaneValues minus_square(LaneValues left, LaneValues right) {
  return minus_scaled(left, right, right);
}
inline LaneValues line(LaneValues values, LaneValues factor, LaneValues offset) {
  return plus_scaled(offset, factor, values);
}
inline LaneValues with_decay(LaneValues gradient, LaneValues decay, LaneValues parameter) {
  const __m256 decays = _mm256_cmp_ps(decay.lanes, _mm256_setzero_ps(), _CMP_NEQ_UQ);
  return plus_scaled(gradient, decay, {_mm256_and_ps(decays, parameter.lanes)});
}

// Sums in float64 of the squares of values, eight at a time.
class LaneSquares {
 public:
  void add(__m256 values) {
    low_ = added(low_, _mm256_castps256_ps128(values));
    high_ = added(high_, _mm256_extractf128_ps(values, 1));
  }
  [[nodiscard]] double sum() const {
    alignas(32) double sums[4];
    _mm256_store_pd(sums, _mm256_add_pd(low_, high_));
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }

 private:
  static __m256d added(__m256d sum, __m128 values) {
    const __m256d wide = _mm256_cvtps_pd(values);
    return _mm256_fmadd_pd(wide, wide, sum);
  }

  __m256d low_ = _mm256_setzero_pd();
  __m256d high_ = _mm256_setzero_pd();
};

// The gradient as it lies in memory.
struct OneGradient {
  explicit OneGradient(const UpdateSpan& span) : values(span.gradient) {}
  template <class Lanes>
  [[nodiscard]] __m256 at(int64_t i, const Lanes& lanes) const {
    return lanes.load(values + i);
  }
  const float* values;
};

// The sum of the gradient and those of replicas, in the order of ShardTree: up to three of them one
// after the other.
struct SummedGradient {
  explicit SummedGradient(const UpdateSpan& from) : span(&from) {}
  template <class Lanes>
  [[nodiscard]] __m256 at(int64_t i, const Lanes& lanes) const {
    if (span->more_count > 2) return tree(0, span->more_count + 1, i, lanes);
    const __m256 sum = _mm256_add_ps(one(0, i, lanes), one(1, i, lanes));
    return span->more_count == 1 ? sum : _mm256_add_ps(sum, one(2, i, lanes));
  }
  const UpdateSpan* span;

 private:
  template <class Lanes>
  [[nodiscard]] __m256 one(int k, int64_t i, const Lanes& lanes) const {
    return lanes.load(k == 0 ? span->gradient + i
                             : span->more_gradients[k - 1] + span->more_begin + i);
  }
  template <class Lanes>
  [[nodiscard]] __m256 tree(int begin, int end, int64_t i, const Lanes& lanes) const {
    if (end - begin == 1) return one(begin, i, lanes);
    const int middle = begin + (end - begin + 1) / 2;
    const __m256 left = tree(begin, middle, i, lanes);
    return _mm256_add_ps(left, tree(middle, end, i, lanes));
  }
};

// Values that move by a formula, eight at a time.
template <class Formula, class Gradient>
class MovingLanes {
 public:
  MovingLanes(const UpdateSpan& span, float scale)
      : gradient_(span), scale_{_mm256_set1_ps(scale)}, numbers_(lane_numbers(span.rule)) {
    for (size_t k = 0; k < Formula::kSlots; ++k) slots_[k] = span.slots[k];
  }
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t i, const Lanes& lanes) const {
    return computed(i, lanes, [&](LaneValues gradient, auto& slots) {
      return Formula::moved(LaneValues{parameter}, gradient, slots, numbers_);
    });
  }
  template <class Lanes>
  [[nodiscard]] __m256 measured(__m256 parameter, int64_t i, const Lanes& lanes) const {
    return computed(i, lanes, [&](LaneValues gradient, auto& slots) {
      return Formula::measured(LaneValues{parameter}, gradient, slots, numbers_);
    });
  }

 private:
  template <class Lanes, class Compute>
  [[nodiscard]] __m256 computed(int64_t i, const Lanes& lanes, const Compute& compute) const {
    std::array<LaneValues, Formula::kSlots> slots;
    for (size_t k = 0; k < Formula::kSlots; ++k) slots[k] = {lanes.load(slots_[k] + i)};
    const LaneValues gradient = scaled(LaneValues{gradient_.at(i, lanes)}, scale_);
    const LaneValues found = compute(gradient, slots);
    for (size_t k = 0; k < Formula::kSlots; ++k) lanes.store(slots_[k] + i, slots[k].lanes);
    return found.lanes;
  }

  using Numbers = typename Formula::template Numbers<LaneValues>;
  static Numbers lane_numbers(const UpdateRule& rule) {
    std::array<LaneValues, sizeof(Numbers) / sizeof(LaneValues)> lanes;
    for (size_t k = 0; k < lanes.size(); ++k)
      lanes[k] = {_mm256_set1_ps(static_cast<float>(rule.numbers[k]))};
    return std::bit_cast<Numbers>(lanes);
  }

  Gradient gradient_;
  LaneValues scale_;
  Numbers numbers_;
  std::array<float*, Formula::kSlots> slots_;
};

template <class Moving>
void run_moving(const UpdateSpan& span, const Moving& moving) {
  if (span.average == nullptr) {
    for_each_group(span.size, [&](int64_t i, const auto& lanes) {
      lanes.store(span.parameter + i, moving.moved(lanes.load(span.parameter + i), i, lanes));
    });
    return;
  }
  const __m256 keep = _mm256_set1_ps(span.average_keep);
  const __m256 take = _mm256_set1_ps(span.average_take);
  for_each_group(span.size, [&](int64_t i, const auto& lanes) {
    const __m256 parameter = moving.moved(lanes.load(span.parameter + i), i, lanes);
    lanes.store(span.parameter + i, parameter);
    const __m256 kept = _mm256_mul_ps(keep, lanes.load(span.average + i));
    lanes.store(span.average + i, _mm256_fmadd_ps(take, parameter, kept));
  });
}

template <class Moving>
UpdateSizes run_measuring(const UpdateSpan& span, const Moving& moving) {
  LaneSquares parameters;
  LaneSquares directions;
  for_each_group(span.size, [&](int64_t i, const auto& lanes) {
    const __m256 parameter = lanes.load(span.parameter + i);
    parameters.add(parameter);
    directions.add(lanes.only(moving.measured(parameter, i, lanes)));
  });
  return {parameters.sum(), directions.sum()};
}

template <class Formula>
UpdateSizes measure_span(const UpdateSpan& span, float scale) {
  if (span.more_count == 0)
    return run_measuring(span, MovingLanes<Formula, OneGradient>(span, scale));
  return run_measuring(span, MovingLanes<Formula, SummedGradient>(span, scale));
}

template <class Formula>
void move_span(const UpdateSpan& span, float scale) {
  if (span.more_count == 0) return run_moving(span, MovingLanes<Formula, OneGradient>(span, scale));
  run_moving(span, MovingLanes<Formula, SummedGradient>(span, scale));
}

}  // namespace hearth
