// Max-pooling over channels-last images. For processors with AVX2.
#include "hearth/kernels/pooling/max_pool_avx2.h"

#include <immintrin.h>

#include <cmath>
#include <cstring>

#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// The part of a window that lies in the image.
struct PoolWindow {
  int64_t top;
  int64_t left;
  int64_t first_row, last_row;  // of the window, [first, last)
  int64_t first_column, last_column;
};

int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

PoolWindow window_at(const PoolGeometry& g, int64_t y, int64_t x) {
  const int64_t top = y * g.stride - g.padding;
  const int64_t left = x * g.stride - g.padding;
  return {top,
          left,
          top < 0 ? -top : 0,
          least(g.kernel, g.height - top),
          left < 0 ? -left : 0,
          least(g.kernel, g.width - left)};
}

int64_t value_at(const PoolGeometry& g, const PoolWindow& w, int64_t row, int64_t column) {
  return ((w.top + row) * g.width + w.left + column) * g.channels;
}

// Eight numbers below 256, or the first of them, as bytes.
void store_places(__m256i places, uint8_t* to, int64_t count) {
  const __m128i words =
      _mm_packus_epi32(_mm256_castsi256_si128(places), _mm256_extracti128_si256(places, 1));
  const int64_t bytes = _mm_cvtsi128_si64(_mm_packus_epi16(words, words));
  std::memcpy(to, &bytes, static_cast<size_t>(count < kLanes ? count : kLanes));
}

__m256i load_places(const uint8_t* from, int64_t count) {
  int64_t bytes = 0;
  std::memcpy(&bytes, from, static_cast<size_t>(count < kLanes ? count : kLanes));
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes));
}

// Up to eight channels. The first of equal values wins, and what is not a number wins over all, as
// in LibTorch.
void pool_lanes(const PoolGeometry& g, const PoolWindow& w, int64_t count, const float* input,
                float* output, uint8_t* places) {
  __m256 best = _mm256_set1_ps(-INFINITY);
  __m256i where = _mm256_set1_epi32(static_cast<int>(w.first_row * g.kernel + w.first_column));
  for (int64_t row = w.first_row; row < w.last_row; ++row) {
    for (int64_t column = w.first_column; column < w.last_column; ++column) {
      const __m256 value = load_lanes(input + value_at(g, w, row, column), count);
      const __m256 wins = _mm256_or_ps(_mm256_cmp_ps(value, best, _CMP_GT_OQ),
                                       _mm256_cmp_ps(value, value, _CMP_UNORD_Q));
      best = _mm256_blendv_ps(best, value, wins);
      const __m256i here = _mm256_set1_epi32(static_cast<int>(row * g.kernel + column));
      where = _mm256_blendv_epi8(where, here, _mm256_castps_si256(wins));
    }
  }
  if (g.relu) {
    const __m256 cut = _mm256_cmp_ps(best, _mm256_setzero_ps(), _CMP_LE_OQ);
    best = _mm256_andnot_ps(cut, best);
    where = _mm256_or_si256(
        where, _mm256_and_si256(_mm256_castps_si256(cut), _mm256_set1_epi32(kNoPlace)));
  }
  store_lanes(output, count, best);
  store_places(where, places, count);
}

// Adds the gradient to the value each lane came from. Windows that do not overlap need no sum.
template <bool Overlaps>
void spread_window(const PoolGeometry& g, const PoolWindow& w, const float* gradient,
                   const uint8_t* places, float* into) {
  for (int64_t c = 0; c < g.channels; c += kLanes) {
    const int64_t count = g.channels - c;
    const __m256i from = load_places(places + c, count);
    const __m256 flow = load_lanes(gradient + c, count);
    for (int64_t row = w.first_row; row < w.last_row; ++row) {
      for (int64_t column = w.first_column; column < w.last_column; ++column) {
        float* target = into + value_at(g, w, row, column) + c;
        const __m256i here = _mm256_set1_epi32(static_cast<int>(row * g.kernel + column));
        __m256 value = _mm256_and_ps(flow, _mm256_castsi256_ps(_mm256_cmpeq_epi32(from, here)));
        if (Overlaps) value = _mm256_add_ps(value, load_lanes(target, count));
        store_lanes(target, count, value);
      }
    }
  }
}

template <bool Overlaps>
void spread_image(const PoolGeometry& g, const float* gradient, const uint8_t* places,
                  float* into) {
  for (int64_t y = 0; y < g.out_height; ++y)
    for (int64_t x = 0; x < g.out_width; ++x) {
      const int64_t at = (y * g.out_width + x) * g.channels;
      spread_window<Overlaps>(g, window_at(g, y, x), gradient + at, places + at, into);
    }
}

}  // namespace

void max_pool_image_avx2(const PoolGeometry& g, const float* input, float* output,
                         uint8_t* places) {
  for (int64_t y = 0; y < g.out_height; ++y) {
    for (int64_t x = 0; x < g.out_width; ++x) {
      const PoolWindow window = window_at(g, y, x);
      const int64_t at = (y * g.out_width + x) * g.channels;
      for (int64_t c = 0; c < g.channels; c += kLanes)
        pool_lanes(g, window, g.channels - c, input + c, output + at + c, places + at + c);
    }
  }
}

void max_pool_gradient_image_avx2(const PoolGeometry& g, const float* gradient,
                                  const uint8_t* places, float* input_gradient) {
  const bool is_tiled = g.stride == g.kernel && g.padding == 0 &&
                        g.out_height * g.stride == g.height && g.out_width * g.stride == g.width;
  if (is_tiled) {
    spread_image<false>(g, gradient, places, input_gradient);
    return;
  }
  for (int64_t i = 0; i < g.height * g.width * g.channels; ++i) input_gradient[i] = 0;
  spread_image<true>(g, gradient, places, input_gradient);
}

}  // namespace hearth
