// Passes of batch normalization over [rows, channels]. For processors with AVX2.
#include "hearth/kernels/normalization/batch_norm_avx2.h"

#include <immintrin.h>

#include "hearth/kernels/activation/formulas_lanes.h"
#include "hearth/kernels/lane_math_avx2.h"
#include "hearth/kernels/lanes_avx2.h"

namespace hearth {
namespace {

// Rows summed in float before the sum goes into double: few enough to keep float's digits.
constexpr int64_t kSumRows = 32;
constexpr int64_t kFirstRows = 16;  // whose mean the first sums are taken around

// A float vector as two of doubles.
struct WideLanes {
  explicit WideLanes(__m256 values)
      : low(_mm256_cvtps_pd(_mm256_castps256_ps128(values))),
        high(_mm256_cvtps_pd(_mm256_extractf128_ps(values, 1))) {}
  __m256d low;
  __m256d high;
};

// Adds eight floats to eight doubles.
void add_to_doubles(__m256 values, double* into) {
  const WideLanes wide(values);
  _mm256_storeu_pd(into, _mm256_add_pd(_mm256_loadu_pd(into), wide.low));
  _mm256_storeu_pd(into + 4, _mm256_add_pd(_mm256_loadu_pd(into + 4), wide.high));
}

// Means of the first rows.
template <int Vectors>
void first_means(const float* values, int64_t rows, int64_t channels, __m256* means) {
  const int64_t count = rows < kFirstRows ? rows : kFirstRows;
  const __m256 share = _mm256_set1_ps(1 / static_cast<float>(count));
  for (int v = 0; v < Vectors; ++v) {
    __m256 sum = _mm256_setzero_ps();
    for (int64_t r = 0; r < count; ++r)
      sum = _mm256_add_ps(sum, _mm256_loadu_ps(values + r * channels + v * kLanes));
    means[v] = _mm256_mul_ps(sum, share);
  }
}

// Adds to four channels' sums around the shift those of a block around its center, `far` away.
void add_block(__m256d sum, __m256d square, __m256d far, __m256d rows, double* sums,
               double* squares) {
  const __m256d all = _mm256_fmadd_pd(rows, far, sum);  // around the shift
  const __m256d more = _mm256_fmadd_pd(far, _mm256_add_pd(sum, all), square);
  _mm256_storeu_pd(sums, _mm256_add_pd(_mm256_loadu_pd(sums), all));
  _mm256_storeu_pd(squares, _mm256_add_pd(_mm256_loadu_pd(squares), more));
}

// Sums of eight channels over one block of rows.
struct ChannelBlock {
  __m256 sum;
  __m256 square;

  void add_to(const BatchSumsPass& p, int64_t channel, __m256 center, int64_t rows) const {
    const WideLanes sums(sum), squares(square), centers(center);
    const WideLanes shifts(_mm256_loadu_ps(p.shift + channel));
    const __m256d count = _mm256_set1_pd(static_cast<double>(rows));
    add_block(sums.low, squares.low, _mm256_sub_pd(centers.low, shifts.low), count, p.sum + channel,
              p.square + channel);
    add_block(sums.high, squares.high, _mm256_sub_pd(centers.high, shifts.high), count,
              p.sum + channel + 4, p.square + channel + 4);
  }
};

// Vectors * 8 channels that start at `channel`. A block's squares are taken around the mean of the
// block before it: an outlier that spoils that one weighs more in the variance than what it costs.
template <int Vectors>
void sum_channels(const BatchSumsPass& p, int64_t rows, int64_t channels, int64_t channel) {
  __m256 centers[Vectors];
  first_means<Vectors>(p.values + channel, rows, channels, centers);
  for (int64_t first = 0; first < rows; first += kSumRows) {
    const int64_t count = first + kSumRows < rows ? kSumRows : rows - first;
    ChannelBlock blocks[Vectors];
    for (int v = 0; v < Vectors; ++v) blocks[v] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    for (int64_t r = first; r < first + count; ++r) {
      const float* row = p.values + r * channels + channel;
      for (int v = 0; v < Vectors; ++v) {
        const __m256 value = _mm256_sub_ps(_mm256_loadu_ps(row + v * kLanes), centers[v]);
        blocks[v].sum = _mm256_add_ps(blocks[v].sum, value);
        blocks[v].square = _mm256_fmadd_ps(value, value, blocks[v].square);
      }
    }
    for (int v = 0; v < Vectors; ++v) {
      blocks[v].add_to(p, channel + v * kLanes, centers[v], count);
      const __m256 share = _mm256_set1_ps(1 / static_cast<float>(count));
      centers[v] = _mm256_fmadd_ps(blocks[v].sum, share, centers[v]);
    }
  }
}

// What flows back to the normalization, of eight values and of one.
struct WholeFlow {
  static __m256 load(const GradientSumsPass& p, int64_t at, int64_t) {
    return _mm256_loadu_ps(p.gradient + at);
  }
  static float load_one(const GradientSumsPass& p, int64_t at, int64_t) { return p.gradient[at]; }
};

// Through a relu.
struct MaskedFlow {
  static __m256 load(const GradientSumsPass& p, int64_t at, int64_t) {
    const __m256 above =
        _mm256_cmp_ps(_mm256_loadu_ps(p.output + at), _mm256_setzero_ps(), _CMP_NLE_UQ);
    const __m256 masked = _mm256_and_ps(_mm256_loadu_ps(p.gradient + at), above);
    if (p.masked != nullptr) _mm256_storeu_ps(p.masked + at, masked);
    return masked;
  }
  static float load_one(const GradientSumsPass& p, int64_t at, int64_t) {
    const float gradient = p.output[at] <= 0 ? 0 : p.gradient[at];
    if (p.masked != nullptr) p.masked[at] = gradient;
    return gradient;
  }
};

// Through an activation.
template <class Formula>
struct FormulaFlow {
  static __m256 load(const GradientSumsPass& p, int64_t at, int64_t channel) {
    const __m256 given = _mm256_fmadd_ps(_mm256_loadu_ps(p.values + at),
                                         _mm256_loadu_ps(p.activation.scale + channel),
                                         _mm256_loadu_ps(p.activation.offset + channel));
    return _mm256_mul_ps(_mm256_loadu_ps(p.gradient + at),
                         Formula::template slope<EightLanes>(given));
  }
  static float load_one(const GradientSumsPass& p, int64_t at, int64_t channel) {
    const __m256 given =
        _mm256_fmadd_ps(_mm256_set1_ps(p.values[at]), _mm256_set1_ps(p.activation.scale[channel]),
                        _mm256_set1_ps(p.activation.offset[channel]));
    return p.gradient[at] * _mm256_cvtss_f32(Formula::template slope<EightLanes>(given));
  }
};

template <int Vectors, class Flow>
void sum_gradient_channels(const GradientSumsPass& p, int64_t rows, int64_t channels,
                           int64_t channel) {
  __m256 means[Vectors];
  for (int v = 0; v < Vectors; ++v) means[v] = _mm256_loadu_ps(p.mean + channel + v * kLanes);
  for (int64_t first = 0; first < rows; first += kSumRows) {
    const int64_t last = first + kSumRows < rows ? first + kSumRows : rows;
    __m256 sums[Vectors];
    __m256 products[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = products[v] = _mm256_setzero_ps();
    for (int64_t r = first; r < last; ++r) {
      for (int v = 0; v < Vectors; ++v) {
        const int64_t at = r * channels + channel + v * kLanes;
        const __m256 gradient = Flow::load(p, at, channel + v * kLanes);
        const __m256 value = _mm256_sub_ps(_mm256_loadu_ps(p.values + at), means[v]);
        sums[v] = _mm256_add_ps(sums[v], gradient);
        products[v] = _mm256_fmadd_ps(gradient, value, products[v]);
      }
    }
    for (int v = 0; v < Vectors; ++v) {
      add_to_doubles(sums[v], p.sum + channel + v * kLanes);
      add_to_doubles(products[v], p.product + channel + v * kLanes);
    }
  }
}

template <class Flow>
void sum_all_gradients(const GradientSumsPass& pass, int64_t rows, int64_t channels) {
  int64_t c = 0;
  for (; c + 4 * kLanes <= channels; c += 4 * kLanes)
    sum_gradient_channels<4, Flow>(pass, rows, channels, c);
  for (; c + 2 * kLanes <= channels; c += 2 * kLanes)
    sum_gradient_channels<2, Flow>(pass, rows, channels, c);
  for (; c + kLanes <= channels; c += kLanes)
    sum_gradient_channels<1, Flow>(pass, rows, channels, c);
  for (; c < channels; ++c) {
    for (int64_t at = c; at < rows * channels; at += channels) {
      const float gradient = Flow::load_one(pass, at, c);
      pass.sum[c] += gradient;
      pass.product[c] += gradient * (pass.values[at] - pass.mean[c]);
    }
  }
}

template <bool Adds, bool Relu>
void normalize_rows(const NormalizePass& pass, int64_t rows, int64_t channels) {
  const float* __restrict scale = pass.scale;
  const float* __restrict offset = pass.offset;
  for (int64_t r = 0; r < rows; ++r) {
    const float* __restrict values = pass.values + r * channels;
    const float* __restrict addend = pass.addend + (Adds ? r * channels : 0);
    float* __restrict output = pass.output + r * channels;
    for (int64_t c = 0; c < channels; ++c) {
      float result = values[c] * scale[c] + offset[c];
      if (Adds) result += addend[c];
      output[c] = Relu && result < 0 ? 0 : result;
    }
  }
}

template <class Formula>
void normalize_with(const NormalizePass& pass, int64_t rows, int64_t channels) {
  for (int64_t r = 0; r < rows; ++r)
    for_each_group(channels, [&](int64_t c, const auto& lanes) {
      const __m256 given = _mm256_fmadd_ps(lanes.load(pass.values + r * channels + c),
                                           lanes.load(pass.scale + c), lanes.load(pass.offset + c));
      lanes.store(pass.output + r * channels + c, Formula::template value<EightLanes>(given));
    });
}

template <class Formula>
void gradient_with(const GradientPass& pass, int64_t rows, int64_t channels) {
  for (int64_t at = 0; at < rows * channels; at += channels)
    for_each_group(channels, [&](int64_t c, const auto& lanes) {
      const __m256 value = lanes.load(pass.values + at + c);
      const __m256 given = _mm256_fmadd_ps(value, lanes.load(pass.activation.scale + c),
                                           lanes.load(pass.activation.offset + c));
      const __m256 flow = _mm256_mul_ps(lanes.load(pass.gradient + at + c),
                                        Formula::template slope<EightLanes>(given));
      const __m256 share =
          _mm256_fmadd_ps(_mm256_sub_ps(value, lanes.load(pass.mean + c)),
                          lanes.load(pass.by_value + c), lanes.load(pass.offset + c));
      lanes.store(pass.result + at + c,
                  _mm256_fmadd_ps(flow, lanes.load(pass.by_gradient + c), share));
    });
}

// Calls visit with the activation's formula.
template <class Visit>
void with_formula(Activation activation, const Visit& visit) {
  if (activation == Activation::kRelu6) visit(Relu6Formula());
  if (activation == Activation::kSilu) visit(SiluFormula());
  if (activation == Activation::kHardswish) visit(HardswishFormula());
}

template <bool Masks>
void gradient_rows(const GradientPass& pass, int64_t rows, int64_t channels) {
  const float* __restrict by_gradient = pass.by_gradient;
  const float* __restrict by_value = pass.by_value;
  const float* __restrict mean = pass.mean;
  const float* __restrict offset = pass.offset;
  for (int64_t r = 0; r < rows; ++r) {
    const float* __restrict gradient = pass.gradient + r * channels;
    const float* __restrict seen = pass.output + (Masks ? r * channels : 0);
    const float* __restrict values = pass.values + r * channels;
    float* __restrict result = pass.result + r * channels;
    for (int64_t c = 0; c < channels; ++c) {
      const float flow = Masks && seen[c] <= 0 ? 0 : gradient[c];
      result[c] = flow * by_gradient[c] + ((values[c] - mean[c]) * by_value[c] + offset[c]);
    }
  }
}

}  // namespace

void batch_sums_avx2(const BatchSumsPass& pass, int64_t rows, int64_t channels) {
  int64_t c = 0;
  for (; c + 4 * kLanes <= channels; c += 4 * kLanes) sum_channels<4>(pass, rows, channels, c);
  for (; c + 2 * kLanes <= channels; c += 2 * kLanes) sum_channels<2>(pass, rows, channels, c);
  for (; c + kLanes <= channels; c += kLanes) sum_channels<1>(pass, rows, channels, c);
  for (; c < channels; ++c) {
    for (int64_t at = c; at < rows * channels; at += channels) {
      const double value = static_cast<double>(pass.values[at]) - pass.shift[c];
      pass.sum[c] += value;
      pass.square[c] += value * value;
    }
  }
}

void normalize_avx2(const NormalizePass& pass, int64_t rows, int64_t channels) {
  if (pass.activation != Activation::kNone) {
    with_formula(pass.activation,
                 [&](auto formula) { normalize_with<decltype(formula)>(pass, rows, channels); });
  } else if (pass.addend != nullptr) {
    pass.relu ? normalize_rows<true, true>(pass, rows, channels)
              : normalize_rows<true, false>(pass, rows, channels);
  } else {
    pass.relu ? normalize_rows<false, true>(pass, rows, channels)
              : normalize_rows<false, false>(pass, rows, channels);
  }
}

void gradient_sums_avx2(const GradientSumsPass& pass, int64_t rows, int64_t channels) {
  if (pass.activation.activation != Activation::kNone) {
    with_formula(pass.activation.activation, [&](auto formula) {
      sum_all_gradients<FormulaFlow<decltype(formula)>>(pass, rows, channels);
    });
  } else {
    pass.output != nullptr ? sum_all_gradients<MaskedFlow>(pass, rows, channels)
                           : sum_all_gradients<WholeFlow>(pass, rows, channels);
  }
}

void normalize_gradient_avx2(const GradientPass& pass, int64_t rows, int64_t channels) {
  if (pass.activation.activation != Activation::kNone) {
    with_formula(pass.activation.activation,
                 [&](auto formula) { gradient_with<decltype(formula)>(pass, rows, channels); });
  } else {
    pass.output != nullptr ? gradient_rows<true>(pass, rows, channels)
                           : gradient_rows<false>(pass, rows, channels);
  }
}

}  // namespace hearth
