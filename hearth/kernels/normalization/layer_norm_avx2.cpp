// Passes of layer normalization over [rows, columns]. For processors with AVX2.
#include "hearth/kernels/normalization/layer_norm_avx2.h"

#include <immintrin.h>

#include <cmath>

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

float sum_of(const float* values, int64_t count) {
  __m256 sum = _mm256_setzero_ps();
  for_each_group(count, [&](int64_t i, const auto& lanes) {
    sum = _mm256_add_ps(sum, lanes.load(values + i));
  });
  return sum_lanes(sum);
}

// The square of a lane that is not there would be that of the mean.
__m256 deviation(const float* values, __m256 mean, const WholeLanes& lanes) {
  return _mm256_sub_ps(lanes.load(values), mean);
}
__m256 deviation(const float* values, __m256 mean, const FirstLanes& lanes) {
  return _mm256_and_ps(_mm256_sub_ps(lanes.load(values), mean), _mm256_castsi256_ps(lanes.mask));
}

// Around the mean, in a second look at a row that is still in the cache: no digits are lost.
float sum_of_squares(const float* values, float mean, int64_t count) {
  const __m256 means = _mm256_set1_ps(mean);
  __m256 sum = _mm256_setzero_ps();
  for_each_group(count, [&](int64_t i, const auto& lanes) {
    const __m256 value = deviation(values + i, means, lanes);
    sum = _mm256_fmadd_ps(value, value, sum);
  });
  return sum_lanes(sum);
}

// What a row's mean and deviation take from the gradient of each of its values.
struct RowShares {
  float of_mean;
  float of_deviation;
};

// Adds the row to the gradients of weight and bias on the way.
RowShares sum_row(const LayerNormGradientPass& p, int64_t row, int64_t columns) {
  const float* gradient = p.gradient + row * columns;
  const float* input = p.input + row * columns;
  const __m256 mean = _mm256_set1_ps(p.mean[row]);
  const __m256 inverse = _mm256_set1_ps(p.inverse[row]);
  __m256 sum = _mm256_setzero_ps();
  __m256 product = _mm256_setzero_ps();
  for_each_group(columns, [&](int64_t c, const auto& lanes) {
    const __m256 flow = lanes.load(gradient + c);
    const __m256 value = _mm256_mul_ps(_mm256_sub_ps(lanes.load(input + c), mean), inverse);
    const __m256 weighted = _mm256_mul_ps(flow, lanes.load(p.weight + c));
    sum = _mm256_add_ps(sum, weighted);
    product = _mm256_fmadd_ps(weighted, value, product);
    lanes.store(p.by_weight + c, _mm256_fmadd_ps(flow, value, lanes.load(p.by_weight + c)));
    lanes.store(p.by_bias + c, _mm256_add_ps(flow, lanes.load(p.by_bias + c)));
  });
  const auto count = static_cast<float>(columns);
  return {sum_lanes(sum) / count, sum_lanes(product) / count};
}

void turn_row(const LayerNormGradientPass& p, int64_t row, int64_t columns,
              const RowShares& shares) {
  const float* gradient = p.gradient + row * columns;
  const float* input = p.input + row * columns;
  const __m256 mean = _mm256_set1_ps(p.mean[row]);
  const __m256 inverse = _mm256_set1_ps(p.inverse[row]);
  for_each_group(columns, [&](int64_t c, const auto& lanes) {
    const __m256 value = _mm256_mul_ps(_mm256_sub_ps(lanes.load(input + c), mean), inverse);
    const __m256 weighted = _mm256_mul_ps(lanes.load(gradient + c), lanes.load(p.weight + c));
    const __m256 moved = _mm256_sub_ps(weighted, _mm256_set1_ps(shares.of_mean));
    const __m256 all = _mm256_fnmadd_ps(value, _mm256_set1_ps(shares.of_deviation), moved);
    lanes.store(p.result + row * columns + c, _mm256_mul_ps(all, inverse));
  });
}

}  // namespace

void layer_norm_avx2(const LayerNormPass& p, int64_t rows, int64_t columns) {
  const auto count = static_cast<float>(columns);
  for (int64_t row = 0; row < rows; ++row) {
    const float* input = p.input + row * columns;
    const float mean = sum_of(input, columns) / count;
    const float inverse = 1 / std::sqrt(sum_of_squares(input, mean, columns) / count + p.eps);
    p.mean[row] = mean;
    p.inverse[row] = inverse;
    for_each_group(columns, [&](int64_t c, const auto& lanes) {
      const __m256 value = _mm256_mul_ps(_mm256_sub_ps(lanes.load(input + c), _mm256_set1_ps(mean)),
                                         _mm256_set1_ps(inverse));
      const __m256 bias = p.bias == nullptr ? _mm256_setzero_ps() : lanes.load(p.bias + c);
      lanes.store(p.output + row * columns + c,
                  _mm256_fmadd_ps(value, lanes.load(p.weight + c), bias));
    });
  }
}

void layer_norm_gradient_avx2(const LayerNormGradientPass& p, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) turn_row(p, row, columns, sum_row(p, row, columns));
}

}  // namespace hearth
