// Winograd's transforms for 3x3 convolutions with 4x4 outputs a tile. For processors with AVX2.
#include "hearth/kernels/convolution/winograd_avx2.h"

#include <immintrin.h>

namespace hearth {
namespace {

constexpr int64_t kTileLanes = 8;
constexpr int64_t kTaps = 9;
using Lanes = __m256;

Lanes times(double factor, Lanes value) {
  return _mm256_mul_ps(_mm256_set1_ps(static_cast<float>(factor)), value);
}

// Eight values in double precision.
struct WideLanes {
  __m256d low;
  __m256d high;
};

WideLanes operator+(const WideLanes& left, const WideLanes& right) {
  return {left.low + right.low, left.high + right.high};
}
WideLanes operator-(const WideLanes& left, const WideLanes& right) {
  return {left.low - right.low, left.high - right.high};
}
WideLanes times(double factor, const WideLanes& value) {
  const __m256d all = _mm256_set1_pd(factor);
  return {all * value.low, all * value.high};
}

WideLanes widened(Lanes value) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(value)),
          _mm256_cvtps_pd(_mm256_extractf128_ps(value, 1))};
}
Lanes rounded(const WideLanes& value) {
  return _mm256_set_m128(_mm256_cvtpd_ps(value.high), _mm256_cvtpd_ps(value.low));
}

// The matrices belong to the points 0, near, -near, far, -far and infinity. These have less than
// half the rounding error of the usual 1 and 2, next to the least there is, and every factor but
// those of the weights is a float without rounding.
constexpr double kNear = 5.0 / 8;
constexpr double kFar = 3.0 / 2;
constexpr double kNear2 = kNear * kNear;
constexpr double kFar2 = kFar * kFar;
constexpr double kNear3 = kNear2 * kNear;
constexpr double kFar3 = kFar2 * kFar;
// The weights' shares in the points 0, +-near and +-far.
constexpr double kZeroShare = 1 / (kNear2 * kFar2);
constexpr double kNearShare = 1 / (2 * kNear2 * (kNear2 - kFar2));
constexpr double kFarShare = 1 / (2 * kFar2 * (kFar2 - kNear2));

// One line through each transform.
void input_line(const Lanes* d, int64_t step, Lanes* t) {
  const Lanes d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step],
              d5 = d[5 * step];
  const Lanes even = d4 - times(kFar2, d2);
  const Lanes odd = times(kNear, d3 - times(kFar2, d1));
  const Lanes far_even = d4 - times(kNear2, d2);
  const Lanes far_odd = times(kFar, d3 - times(kNear2, d1));
  t[0] = times(kNear2 * kFar2, d0) - times(kNear2 + kFar2, d2) + d4;
  t[1] = even + odd;
  t[2] = even - odd;
  t[3] = far_even + far_odd;
  t[4] = far_even - far_odd;
  t[5] = times(kNear2 * kFar2, d1) - times(kNear2 + kFar2, d3) + d5;
}

// In double precision: it adds products that are larger than their sum.
void output_line(const WideLanes* m, int64_t step, WideLanes* y) {
  const WideLanes sum = m[step] + m[2 * step];
  const WideLanes difference = m[step] - m[2 * step];
  const WideLanes far_sum = m[3 * step] + m[4 * step];
  const WideLanes far_difference = m[3 * step] - m[4 * step];
  y[0] = m[0] + sum + far_sum;
  y[1] = times(kNear, difference) + times(kFar, far_difference);
  y[2] = times(kNear2, sum) + times(kFar2, far_sum);
  y[3] = times(kNear3, difference) + times(kFar3, far_difference) + m[5 * step];
}

void gradient_line(const Lanes* g, int64_t step, Lanes* t) {
  const Lanes g0 = g[0], g1 = g[step], g2 = g[2 * step], g3 = g[3 * step];
  const Lanes even = g0 + times(kNear2, g2);
  const Lanes odd = times(kNear, g1) + times(kNear3, g3);
  const Lanes far_even = g0 + times(kFar2, g2);
  const Lanes far_odd = times(kFar, g1) + times(kFar3, g3);
  t[0] = g0;
  t[1] = even + odd;
  t[2] = even - odd;
  t[3] = far_even + far_odd;
  t[4] = far_even - far_odd;
  t[5] = g3;
}

// In double precision: its factors are no floats, and what it loses, every product would have.
void weight_line(const WideLanes* w, int64_t step, WideLanes* u) {
  const WideLanes w0 = w[0], w1 = w[step], w2 = w[2 * step];
  const WideLanes even = times(kNearShare, w0) + times(kNearShare * kNear2, w2);
  const WideLanes odd = times(kNearShare * kNear, w1);
  const WideLanes far_even = times(kFarShare, w0) + times(kFarShare * kFar2, w2);
  const WideLanes far_odd = times(kFarShare * kFar, w1);
  u[0] = times(kZeroShare, w0);
  u[1] = even + odd;
  u[2] = even - odd;
  u[3] = far_even + far_odd;
  u[4] = far_even - far_odd;
  u[5] = w2;
}

void weight_back_line(const WideLanes* u, int64_t step, WideLanes* w) {
  const WideLanes sum = u[step] + u[2 * step];
  const WideLanes difference = u[step] - u[2 * step];
  const WideLanes far_sum = u[3 * step] + u[4 * step];
  const WideLanes far_difference = u[3 * step] - u[4 * step];
  w[0] = times(kZeroShare, u[0]) + times(kNearShare, sum) + times(kFarShare, far_sum);
  w[1] = times(kNearShare * kNear, difference) + times(kFarShare * kFar, far_difference);
  w[2] = times(kNearShare * kNear2, sum) + times(kFarShare * kFar2, far_sum) + u[5 * step];
}

// Both directions of a square: From x From values become To x To.
template <int64_t From, int64_t To, auto Through, class Values>
void transform(const Values* from, Values* to) {
  Values half[From * To];  // [from row][to column]
  for (int64_t row = 0; row < From; ++row) Through(from + row * From, 1, half + row * To);
  for (int64_t column = 0; column < To; ++column) {
    Values line[To];
    Through(half + column, To, line);
    for (int64_t row = 0; row < To; ++row) to[row * To + column] = line[row];
  }
}

// A square of the image that may lie partly outside it.
template <int64_t Side>
void load_square(const float* image, const TilePlace& p, int64_t channel, Lanes* square) {
  for (int64_t row = 0; row < Side; ++row) {
    const int64_t y = p.top + row;
    for (int64_t column = 0; column < Side; ++column) {
      const int64_t x = p.left + column;
      const bool is_inside = y >= 0 && y < p.height && x >= 0 && x < p.width;
      square[row * Side + column] =
          is_inside ? _mm256_loadu_ps(image + (y * p.width + x) * p.channels + channel)
                    : _mm256_setzero_ps();
    }
  }
}

template <int64_t Side, auto Through>
void square_to_points(const float* image, const TilePlace& place, float* points, int64_t stride) {
  for (int64_t c = 0; c < place.channels; c += kTileLanes) {
    Lanes square[Side * Side];
    Lanes result[kTilePoints];
    load_square<Side>(image, place, c, square);
    transform<Side, kPatchSide, Through>(square, result);
    for (int64_t p = 0; p < kTilePoints; ++p) _mm256_storeu_ps(points + p * stride + c, result[p]);
  }
}

void load_points(const float* points, int64_t stride, int64_t channel, WideLanes* into) {
  for (int64_t p = 0; p < kTilePoints; ++p)
    into[p] = widened(_mm256_loadu_ps(points + p * stride + channel));
}

// Place `tap` of the window, of eight neighbouring channels.
Lanes load_tap(const TapPlace& weight, int64_t channel, int64_t tap) {
  const float* from = weight.values + channel * weight.channel_step + tap * weight.tap_step;
  if (weight.channel_step == 1) return _mm256_loadu_ps(from);
  alignas(32) float lanes[kTileLanes];
  for (int64_t lane = 0; lane < kTileLanes; ++lane) lanes[lane] = from[lane * weight.channel_step];
  return _mm256_load_ps(lanes);
}

void store_tap(Lanes value, const TapPlace& weight, int64_t channel, int64_t tap) {
  float* to = weight.values + channel * weight.channel_step + tap * weight.tap_step;
  if (weight.channel_step == 1) return _mm256_storeu_ps(to, value);
  alignas(32) float lanes[kTileLanes];
  _mm256_store_ps(lanes, value);
  for (int64_t lane = 0; lane < kTileLanes; ++lane) to[lane * weight.channel_step] = lanes[lane];
}

}  // namespace

void input_points_avx2(const float* image, const TilePlace& place, float* points, int64_t stride) {
  square_to_points<kPatchSide, input_line>(image, place, points, stride);
}

void gradient_points_avx2(const float* gradient, const TilePlace& place, float* points,
                          int64_t stride) {
  square_to_points<kTileSide, gradient_line>(gradient, place, points, stride);
}

void tile_from_points_avx2(const float* points, int64_t stride, const float* bias, bool relu,
                           const TilePlace& p, float* image) {
  for (int64_t c = 0; c < p.channels; c += kTileLanes) {
    WideLanes products[kTilePoints];
    WideLanes tile[kTileSide * kTileSide];
    load_points(points, stride, c, products);
    transform<kPatchSide, kTileSide, output_line>(products, tile);
    const WideLanes offset =
        widened(bias == nullptr ? _mm256_setzero_ps() : _mm256_loadu_ps(bias + c));
    for (int64_t row = 0; row < kTileSide && p.top + row < p.height; ++row) {
      for (int64_t column = 0; column < kTileSide && p.left + column < p.width; ++column) {
        Lanes value = rounded(tile[row * kTileSide + column] + offset);
        // The order keeps what is not a number.
        if (relu) value = _mm256_max_ps(_mm256_setzero_ps(), value);
        _mm256_storeu_ps(image + ((p.top + row) * p.width + p.left + column) * p.channels + c,
                         value);
      }
    }
  }
}

void weight_points_avx2(const TapPlace& weight, bool rotated, float* points, int64_t stride) {
  for (int64_t c = 0; c < weight.channels; c += kTileLanes) {
    WideLanes square[kTaps];
    WideLanes result[kTilePoints];
    for (int64_t t = 0; t < kTaps; ++t)
      square[rotated ? kTaps - 1 - t : t] = widened(load_tap(weight, c, t));
    transform<3, kPatchSide, weight_line>(square, result);
    for (int64_t p = 0; p < kTilePoints; ++p)
      _mm256_storeu_ps(points + p * stride + c, rounded(result[p]));
  }
}

void weight_from_points_avx2(const float* points, int64_t stride, const TapPlace& weight) {
  for (int64_t c = 0; c < weight.channels; c += kTileLanes) {
    WideLanes products[kTilePoints];
    WideLanes square[kTaps];
    load_points(points, stride, c, products);
    transform<kPatchSide, 3, weight_back_line>(products, square);
    for (int64_t t = 0; t < kTaps; ++t) store_tap(rounded(square[t]), weight, c, t);
  }
}

}  // namespace hearth
