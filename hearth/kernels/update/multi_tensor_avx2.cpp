// The inner loops of an update over many parameters. Every sum of products is an explicit fused
// one, and the last few values go through the same instructions under a mask: a value's result
// does not depend on where it stands.
#include "hearth/kernels/update/multi_tensor_avx2.h"

#include <immintrin.h>

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

struct StayFormula {
  explicit StayFormula(const UpdateSpan&, float) {}
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t, const Lanes&) const {
    return parameter;
  }
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

// The sum of the gradient and those of replicas.
struct SummedGradient {
  explicit SummedGradient(const UpdateSpan& from) : span(&from) {}
  template <class Lanes>
  [[nodiscard]] __m256 at(int64_t i, const Lanes& lanes) const {
    __m256 sum = lanes.load(span->gradient + i);
    for (int k = 0; k < span->more_count; ++k) {
      sum = _mm256_add_ps(sum, lanes.load(span->more_gradients[k] + span->more_begin + i));
    }
    return sum;
  }
  const UpdateSpan* span;
};

// What every formula begins with: the scaled gradient with its weight decay.
template <class Gradient>
struct UpdateGradient {
  UpdateGradient(const UpdateSpan& span, float factor)
      : values(span),
        scale(_mm256_set1_ps(factor)),
        weight_decay(_mm256_set1_ps(span.rule.weight_decay)),
        decays(_mm256_cmp_ps(weight_decay, _mm256_setzero_ps(), _CMP_NEQ_UQ)) {}
  template <class Lanes>
  [[nodiscard]] __m256 at(int64_t i, __m256 parameter, const Lanes& lanes) const {
    // Without decay an infinite parameter is no part of the gradient: 0 times it would be none.
    const __m256 decaying = _mm256_and_ps(decays, parameter);
    return _mm256_fmadd_ps(weight_decay, decaying, _mm256_mul_ps(scale, values.at(i, lanes)));
  }
  Gradient values;
  __m256 scale;
  __m256 weight_decay;
  __m256 decays;
};

// The first slot: a running mix of gradients.
struct RunningGradient {
  explicit RunningGradient(const UpdateSpan& span)
      : values(span.slots[0]),
        keep(_mm256_set1_ps(span.rule.keep)),
        take(_mm256_set1_ps(span.rule.take)) {}
  template <class Lanes>
  [[nodiscard]] __m256 mixed(int64_t i, __m256 gradient, const Lanes& lanes) const {
    const __m256 kept = _mm256_mul_ps(keep, lanes.load(values + i));
    const __m256 mix = _mm256_fmadd_ps(take, gradient, kept);
    lanes.store(values + i, mix);
    return mix;
  }
  float* values;
  __m256 keep;
  __m256 take;
};

template <class Gradient>
struct DescentFormula {
  DescentFormula(const UpdateSpan& span, float scale)
      : gradient(span, scale), lr(_mm256_set1_ps(span.rule.lr)) {}
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t i, const Lanes& lanes) const {
    return _mm256_fnmadd_ps(lr, gradient.at(i, parameter, lanes), parameter);
  }
  UpdateGradient<Gradient> gradient;
  __m256 lr;
};

template <class Gradient, bool LooksAhead>
struct MomentumFormula {
  MomentumFormula(const UpdateSpan& span, float scale)
      : gradient(span, scale), momentum(span), lr(_mm256_set1_ps(span.rule.lr)) {}
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 parameter, int64_t i, const Lanes& lanes) const {
    const __m256 slope = gradient.at(i, parameter, lanes);
    __m256 direction = momentum.mixed(i, slope, lanes);
    if constexpr (LooksAhead) direction = _mm256_fmadd_ps(momentum.keep, direction, slope);
    return _mm256_fnmadd_ps(lr, direction, parameter);
  }
  UpdateGradient<Gradient> gradient;
  RunningGradient momentum;
  __m256 lr;
};

template <class Gradient>
struct AdamFormulaLanes {
  AdamFormulaLanes(const UpdateSpan& span, float scale)
      : gradient(span, scale),
        mean(span),
        squares(span.slots[1]),
        shrink(_mm256_set1_ps(span.rule.shrink)),
        keep(_mm256_set1_ps(span.rule.square_keep)),
        take(_mm256_set1_ps(span.rule.square_take)),
        root_factor(_mm256_set1_ps(span.rule.root_factor)),
        eps(_mm256_set1_ps(span.rule.eps)),
        lr(_mm256_set1_ps(span.rule.lr)) {}
  template <class Lanes>
  [[nodiscard]] __m256 moved(__m256 before, int64_t i, const Lanes& lanes) const {
    const __m256 parameter = _mm256_mul_ps(shrink, before);
    const __m256 slope = gradient.at(i, parameter, lanes);
    const __m256 direction = mean.mixed(i, slope, lanes);
    const __m256 kept = _mm256_mul_ps(keep, lanes.load(squares + i));
    // In this order, as PyTorch's: the square alone would be infinite beyond 1e19.
    const __m256 square = _mm256_fmadd_ps(_mm256_mul_ps(take, slope), slope, kept);
    lanes.store(squares + i, square);
    const __m256 divisor = _mm256_fmadd_ps(root_factor, _mm256_sqrt_ps(square), eps);
    return _mm256_fnmadd_ps(lr, _mm256_div_ps(direction, divisor), parameter);
  }
  UpdateGradient<Gradient> gradient;
  RunningGradient mean;
  float* squares;
  __m256 shrink;
  __m256 keep;
  __m256 take;
  __m256 root_factor;
  __m256 eps;
  __m256 lr;
};

template <class Formula>
void move_span(const UpdateSpan& span, const Formula& formula) {
  for_each_group(span.size, [&](int64_t i, const auto& lanes) {
    lanes.store(span.parameter + i, formula.moved(lanes.load(span.parameter + i), i, lanes));
  });
}

template <class Formula>
void move_and_average_span(const UpdateSpan& span, const Formula& formula) {
  const __m256 keep = _mm256_set1_ps(span.average_keep);
  const __m256 take = _mm256_set1_ps(span.average_take);
  for_each_group(span.size, [&](int64_t i, const auto& lanes) {
    const __m256 parameter = formula.moved(lanes.load(span.parameter + i), i, lanes);
    lanes.store(span.parameter + i, parameter);
    const __m256 kept = _mm256_mul_ps(keep, lanes.load(span.average + i));
    lanes.store(span.average + i, _mm256_fmadd_ps(take, parameter, kept));
  });
}

template <class Formula>
void run_formula(const UpdateSpan& span, float scale) {
  const Formula formula(span, scale);
  if (span.average == nullptr) return move_span(span, formula);
  move_and_average_span(span, formula);
}

[[nodiscard]] __m256d squares_added(__m256d sum, __m128 values) {
  const __m256d wide = _mm256_cvtps_pd(values);
  return _mm256_fmadd_pd(wide, wide, sum);
}

template <class Gradient>
void update_along(const UpdateSpan& span, float scale) {
  switch (span.rule.formula) {
    case UpdateFormula::kDescent:
      return run_formula<DescentFormula<Gradient>>(span, scale);
    case UpdateFormula::kMomentum:
      return run_formula<MomentumFormula<Gradient, false>>(span, scale);
    case UpdateFormula::kNesterov:
      return run_formula<MomentumFormula<Gradient, true>>(span, scale);
    case UpdateFormula::kAdam:
      return run_formula<AdamFormulaLanes<Gradient>>(span, scale);
  }
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

void update_span_avx2(const UpdateSpan& span, float scale) {
  if (span.gradient == nullptr) return run_formula<StayFormula>(span, scale);
  if (span.more_count == 0) return update_along<OneGradient>(span, scale);
  update_along<SummedGradient>(span, scale);
}

double gradient_squares_avx2(const UpdateSpan& span) {
  if (span.gradient == nullptr) return 0;
  return span.more_count == 0 ? squares_of<OneGradient>(span) : squares_of<SummedGradient>(span);
}

}  // namespace hearth
