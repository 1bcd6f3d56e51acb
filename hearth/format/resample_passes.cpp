// Weighted sums of bytes in 32-bit whole numbers, several at a time where the processor can.
#include "hearth/format/resample_passes.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "hearth/base/processor.h"

namespace hearth {

namespace {

constexpr int32_t kResampleHalf = kResampleOne / 2;
constexpr float kResampleShare = 1.0F / static_cast<float>(kResampleOne);
constexpr int64_t kBytesOfALoad = 16;

uint8_t resampled_byte(int32_t sum) {
  return static_cast<uint8_t>(std::clamp(sum >> kResampleBits, 0, 255));
}

#if defined(__x86_64__)

bool can_resample_fast() { return processor().has_avx2; }

// Which bytes of pixels in a row are the words of two taps, the first one from `first` on: those of
// each channel side by side, in both halves.
template <int channels>
[[gnu::target("avx2")]] __m256i words_of_taps(int first) {
  const auto at = [&](int tap, int channel) {
    return static_cast<char>(channel < channels ? (first + tap) * channels + channel : -1);
  };
  const __m128i half = _mm_setr_epi8(at(0, 0), -1, at(1, 0), -1, at(0, 1), -1, at(1, 1), -1,
                                     at(0, 2), -1, at(1, 2), -1, at(0, 3), -1, at(1, 3), -1);
  return _mm256_broadcastsi128_si256(half);
}

[[gnu::target("avx2")]] __m256i weights_of(const ResampleTable::Pairs& pairs) {
  return _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&pairs)));
}

// Two outputs at a time, each in one half, by four taps. A weight is cut in two, so that products
// of 16 bits do; the sum is the same.
template <int channels>
[[gnu::target("avx2")]] void resample_row_by_pairs(const uint8_t* row, const ResampleTable& table,
                                                   uint8_t* to) {
  const __m256i first_taps = words_of_taps<channels>(0);
  const __m256i last_taps = words_of_taps<channels>(2);
  const __m256i each_low = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
  const __m256i each_high = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
  const __m256i half = _mm256_set1_epi32(kResampleHalf);
  const int64_t size = table.size();
  for (int64_t x = 0; x < size; x += 2, to += 2 * channels) {
    const uint8_t* left = row + table.first(x) * channels;
    const uint8_t* right = row + table.first(std::min(x + 1, size - 1)) * channels;
    const ResampleTable::Pairs* pairs = table.pairs(x);
    __m256i low = half;
    __m256i high = _mm256_setzero_si256();
    for (size_t four = 0; four < table.fours(); ++four, pairs += 2) {
      const __m256i bytes = _mm256_inserti128_si256(
          _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(left))),
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(right)), 1);
      for (int two = 0; two < 2; ++two) {
        const __m256i words = _mm256_shuffle_epi8(bytes, two == 0 ? first_taps : last_taps);
        const __m256i weights = weights_of(pairs[two]);
        low = _mm256_add_epi32(
            low, _mm256_madd_epi16(words, _mm256_permutevar8x32_epi32(weights, each_low)));
        high = _mm256_add_epi32(
            high, _mm256_madd_epi16(words, _mm256_permutevar8x32_epi32(weights, each_high)));
      }
      left += 4 * channels;
      right += 4 * channels;
    }
    const __m256i sums = _mm256_add_epi32(_mm256_slli_epi32(high, ResampleTable::kLowBits), low);
    const __m256i values = _mm256_srai_epi32(sums, kResampleBits);
    const __m256i packed = _mm256_packus_epi16(_mm256_packs_epi32(values, values), values);
    const auto first = static_cast<uint32_t>(_mm256_extract_epi32(packed, 0));
    const auto second = static_cast<uint32_t>(_mm256_extract_epi32(packed, 4));
    // A fourth byte is the next pixel's, which comes after it.
    if (x + 2 < size) {
      std::memcpy(to, &first, 4);
      std::memcpy(to + channels, &second, 4);
    } else {
      std::memcpy(to, &first, channels);
      if (x + 1 < size) std::memcpy(to + channels, &second, channels);
    }
  }
}

[[gnu::target("avx2")]] __m256i weighted(const uint8_t* bytes, __m256i weight) {
  const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
  return _mm256_mullo_epi32(_mm256_cvtepu8_epi32(eight), weight);
}

// How many values it has done: all but the last few.
[[gnu::target("avx2")]] int64_t resample_column_by_sixteen(std::span<const uint8_t* const> rows,
                                                           std::span<const int32_t> weights,
                                                           int64_t length, uint8_t* to) {
  int64_t x = 0;
  for (; x + 16 <= length; x += 16) {
    __m256i left = _mm256_set1_epi32(kResampleHalf);
    __m256i right = left;
    for (size_t i = 0; i < rows.size(); ++i) {
      const __m256i weight = _mm256_set1_epi32(weights[i]);
      left = _mm256_add_epi32(left, weighted(rows[i] + x, weight));
      right = _mm256_add_epi32(right, weighted(rows[i] + x + 8, weight));
    }
    const __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(left, kResampleBits),
                                             _mm256_srai_epi32(right, kResampleBits));
    const __m256i in_order = _mm256_permute4x64_epi64(words, 0b11'01'10'00);
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(to + x),
        _mm_packus_epi16(_mm256_castsi256_si128(in_order), _mm256_extracti128_si256(in_order, 1)));
  }
  return x;
}

#else

bool can_resample_fast() { return false; }
template <int channels>
void resample_row_by_pairs(const uint8_t*, const ResampleTable&, uint8_t*) {}
int64_t resample_column_by_sixteen(std::span<const uint8_t* const>, std::span<const int32_t>,
                                   int64_t, uint8_t*) {
  return 0;
}

#endif

}  // namespace

namespace plain {

void resample_row(const uint8_t* row, int64_t channels, const ResampleTable& table, uint8_t* to) {
  for (int64_t x = 0; x < table.size(); ++x) {
    const ResampleTaps taps = table[x];
    for (int64_t channel = 0; channel < channels; ++channel) {
      const uint8_t* value = row + taps.first * channels + channel;
      int32_t sum = kResampleHalf;
      for (const int32_t weight : taps.weights) {
        sum += weight * *value;
        value += channels;
      }
      *to++ = resampled_byte(sum);
    }
  }
}

void resample_column(std::span<const uint8_t* const> rows, std::span<const int32_t> weights,
                     int64_t begin, int64_t end, uint8_t* to) {
  for (int64_t x = begin; x < end; ++x) {
    int32_t sum = kResampleHalf;
    for (size_t i = 0; i < rows.size(); ++i) sum += weights[i] * rows[i][x];
    to[x] = resampled_byte(sum);
  }
}

}  // namespace plain

void resample_row(const uint8_t* row, int64_t readable, int64_t channels,
                  const ResampleTable& table, uint8_t* to) {
  const ResampleTaps last = table[table.size() - 1];
  const int64_t reach =
      (last.first + 4 * static_cast<int64_t>(table.fours())) * channels + kBytesOfALoad;
  if ((channels == 3 || channels == 4) && reach <= readable && can_resample_fast())
    return channels == 3 ? resample_row_by_pairs<3>(row, table, to)
                         : resample_row_by_pairs<4>(row, table, to);
  plain::resample_row(row, channels, table, to);
}

void resample_row(const float* row, int64_t channels, const ResampleTable& table, float* to) {
  for (int64_t x = 0; x < table.size(); ++x) {
    const ResampleTaps taps = table[x];
    for (int64_t channel = 0; channel < channels; ++channel) {
      const float* value = row + taps.first * channels + channel;
      float sum = 0;
      for (const int32_t weight : taps.weights) {
        sum += static_cast<float>(weight) * kResampleShare * *value;
        value += channels;
      }
      *to++ = sum;
    }
  }
}

void resample_column(std::span<const uint8_t* const> rows, std::span<const int32_t> weights,
                     int64_t length, uint8_t* to) {
  const int64_t done =
      can_resample_fast() ? resample_column_by_sixteen(rows, weights, length, to) : 0;
  plain::resample_column(rows, weights, done, length, to);
}

void resample_column(std::span<const float* const> rows, std::span<const int32_t> weights,
                     int64_t length, float* to) {
  std::fill(to, to + length, 0.0F);
  for (size_t i = 0; i < rows.size(); ++i) {
    const float share = static_cast<float>(weights[i]) * kResampleShare;
    for (int64_t x = 0; x < length; ++x) to[x] += share * rows[i][x];
  }
}

}  // namespace hearth
