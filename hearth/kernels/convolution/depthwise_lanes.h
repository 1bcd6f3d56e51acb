// Passes of a depthwise convolution, for vectors of any width. Only for files that are compiled for
// one kind of processor: everything here is theirs alone.
#pragma once

#include <type_traits>

#include "hearth/kernels/convolution/depthwise_rows.h"

namespace hearth {
namespace {

// `Unit` has a Vector; `zero`, `add`, `multiply_add`; `above_zero`, which keeps what is not a
// number; `kPlaces`, how many places of a row are summed at once; and `for_each_group`, which gives
// what loads and stores.

template <class Unit, class Lanes>
[[gnu::always_inline]] inline typename Unit::Vector first_sum(const DepthwiseTail& tail,
                                                              int64_t channel, const Lanes& lanes) {
  return tail.bias == nullptr ? Unit::zero() : lanes.load(tail.bias + channel);
}

template <class Unit>
void sum_point(const DepthwisePoint& p, int64_t channels) {
  Unit::for_each_group(channels, [&](int64_t c, const auto& lanes) {
    auto sum = first_sum<Unit>(p.tail, c, lanes);
    for (int64_t t = 0; t < p.count; ++t)
      sum = Unit::multiply_add(lanes.load(p.taps[t].values + c), lanes.load(p.taps[t].weights + c),
                               sum);
    lanes.store(p.output + c, p.tail.relu ? Unit::above_zero(sum) : sum);
  });
}

// `Places` places at once: a pixel is loaded once for all windows it lies in, and a weight once for
// all places.
template <class Unit, int Width, int Stride, int Places>
void sum_places(const DepthwiseRun& run, int64_t place, int64_t channels) {
  using Vector = typename Unit::Vector;
  const float* input = run.input + place * Stride * channels;
  float* output = run.output + place * channels;
  Unit::for_each_group(channels, [&](int64_t c, const auto& lanes) {
    Vector sums[Places];
    for (Vector& sum : sums) sum = first_sum<Unit>(run.tail, c, lanes);
    for (int64_t r = 0; r < run.rows; ++r) {
      const float* row = input + r * run.row_stride + c;
      Vector weights[Width];
      for (int k = 0; k < Width; ++k)
        weights[k] = lanes.load(run.weights + (r * Width + k) * channels + c);
#pragma GCC unroll 32
      for (int pixel = 0; pixel < (Places - 1) * Stride + Width; ++pixel) {
        const Vector value = lanes.load(row + pixel * channels);
#pragma GCC unroll 8
        for (int p = 0; p < Places; ++p) {
          const int k = pixel - p * Stride;
          if (k >= 0 && k < Width) sums[p] = Unit::multiply_add(value, weights[k], sums[p]);
        }
      }
    }
    for (int p = 0; p < Places; ++p)
      lanes.store(output + p * channels + c, run.tail.relu ? Unit::above_zero(sums[p]) : sums[p]);
  });
}

template <class Unit, int Width, int Stride>
void sum_run(const DepthwiseRun& run, int64_t channels) {
  int64_t place = 0;
  for (; place + Unit::kPlaces <= run.places; place += Unit::kPlaces)
    sum_places<Unit, Width, Stride, Unit::kPlaces>(run, place, channels);
  for (; place + 2 <= run.places; place += 2)
    sum_places<Unit, Width, Stride, 2>(run, place, channels);
  if (place < run.places) sum_places<Unit, Width, Stride, 1>(run, place, channels);
}

template <class Unit>
DepthwiseRunKernel run_kernel(int64_t width, int64_t stride) {
  if (stride != 1 && stride != 2) return nullptr;
  const bool is_close = stride == 1;
  if (width == 3) return is_close ? sum_run<Unit, 3, 1> : sum_run<Unit, 3, 2>;
  if (width == 5) return is_close ? sum_run<Unit, 5, 1> : sum_run<Unit, 5, 2>;
  if (width == 7) return is_close ? sum_run<Unit, 7, 1> : sum_run<Unit, 7, 2>;
  return nullptr;
}

constexpr int kMostTaps = 7;  // summed at once

template <class Unit, int Taps>
void sum_taps(const DepthwiseGradientRun& run, int64_t channels) {
  using Vector = typename Unit::Vector;
  Unit::for_each_group(channels, [&](int64_t c, const auto& lanes) {
    Vector sums[Taps];
    for (Vector& sum : sums) sum = Unit::zero();
    const float* pixel = run.input + c;
    for (int64_t p = 0; p < run.places; ++p, pixel += run.place_stride) {
      const Vector flow = lanes.load(run.gradient + p * channels + c);
      for (int t = 0; t < Taps; ++t)
        sums[t] = Unit::multiply_add(flow, lanes.load(pixel + t * run.tap_stride), sums[t]);
    }
    for (int t = 0; t < Taps; ++t) {
      float* sum = run.sums + t * channels + c;
      lanes.store(sum, Unit::add(lanes.load(sum), sums[t]));
    }
  });
}

template <class Unit, int Taps>
void sum_taps_if(const DepthwiseGradientRun& run, int64_t channels) {
  if (run.taps == Taps) return sum_taps<Unit, Taps>(run, channels);
  if constexpr (Taps > 1) sum_taps_if<Unit, Taps - 1>(run, channels);
}

template <class Unit>
void sum_gradient(const DepthwiseGradientRun& run, int64_t channels) {
  DepthwiseGradientRun rest = run;
  while (rest.taps > 0) {
    DepthwiseGradientRun part = rest;
    if (part.taps > kMostTaps) part.taps = kMostTaps;
    sum_taps_if<Unit, kMostTaps>(part, channels);
    rest.taps -= part.taps;
    rest.input += part.taps * rest.tap_stride;
    rest.sums += part.taps * channels;
  }
}

template <class Unit>
DepthwiseKernels kernels_of() {
  return {sum_point<Unit>, run_kernel<Unit>, sum_gradient<Unit>};
}

}  // namespace
}  // namespace hearth
