// Passes of a depthwise convolution over rows of channels-last images: every channel by itself, so
// that a vector holds neighbouring channels.
#pragma once

#include <cstdint>

namespace hearth {

// One pixel under the window, and the weights of that place of the window: a value a channel each.
struct DepthwiseTap {
  const float* values;
  const float* weights;
};

// What follows the sum over a window.
struct DepthwiseTail {
  const float* bias;  // null for none
  bool relu;
};

// output[c] = the sum of values[c] * weights[c] over the taps.
struct DepthwisePoint {
  const DepthwiseTap* taps;
  int64_t count;
  DepthwiseTail tail;
  float* output;
};

// Neighbouring places of one row, at each of which the whole width of the window is in the image.
struct DepthwiseRun {
  const float* input;    // the first pixel under the first place's window
  int64_t row_stride;    // values between two rows of the image
  int64_t rows;          // of the window
  const float* weights;  // [rows, width of the window, channels]
  int64_t places;
  DepthwiseTail tail;
  float* output;
};

// sums[t, c] += the sum of gradient[p, c] * input[p * step + t, c] over all places p, where the
// strides are those of places and of taps in the input.
struct DepthwiseGradientRun {
  const float* gradient;
  const float* input;
  int64_t places;
  int64_t place_stride;
  int64_t taps;
  int64_t tap_stride;
  float* sums;
};

using DepthwiseRunKernel = void (*)(const DepthwiseRun& run, int64_t channels);

// The passes for one kind of processor.
struct DepthwiseKernels {
  void (*point)(const DepthwisePoint& point, int64_t channels);
  // For a width and a stride of the window; null when there is none.
  DepthwiseRunKernel (*run)(int64_t width, int64_t stride);
  void (*gradient)(const DepthwiseGradientRun& run, int64_t channels);
};

[[nodiscard]] DepthwiseKernels depthwise_kernels_avx2();
[[nodiscard]] DepthwiseKernels depthwise_kernels_avx512();
// By the widest vectors there are. Only where `has_vector_unit()`.
[[nodiscard]] DepthwiseKernels depthwise_kernels();

}  // namespace hearth
