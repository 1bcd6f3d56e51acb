// Passes of batch normalization over [rows, channels]. For processors with AVX2.
#pragma once

#include <cstdint>

#include "hearth/kernels/activation/activation.h"

namespace hearth {

// Adds to sum[c] and square[c] the sums of (value - shift[c]) and of its square over the rows. The
// shift keeps large means from eating the digits of small variances; it may itself be an outlier,
// as sums in float are taken around means of their own.
struct BatchSumsPass {
  const float* values;
  const float* shift;
  double* sum;
  double* square;
};
void batch_sums_avx2(const BatchSumsPass& pass, int64_t rows, int64_t channels);

// output = value * scale[c] + offset[c] (+ addend), then max(., 0) when asked for; or an activation
// of value * scale[c] + offset[c].
struct NormalizePass {
  const float* values;
  const float* addend;  // null for none
  float* output;
  const float* scale;
  const float* offset;
  bool relu;
  Activation activation = Activation::kNone;
};

// An activation behind the normalization: its slope is found again from what it was given, value *
// scale[c] + offset[c].
struct ActivationPass {
  Activation activation = Activation::kNone;
  const float* scale = nullptr;
  const float* offset = nullptr;
};
void normalize_avx2(const NormalizePass& pass, int64_t rows, int64_t channels);

// Adds to sum[c] the gradients and to product[c] gradient * (value - mean[c]); where `output` is
// given, the gradient is 0 where the output is not above 0, and goes to `masked` if that is given.
struct GradientSumsPass {
  const float* gradient;
  const float* output;  // null: no relu
  const float* values;
  const float* mean;
  float* masked;  // null: not kept
  double* sum;
  double* product;
  ActivationPass activation = {};  // instead of a relu
};
void gradient_sums_avx2(const GradientSumsPass& pass, int64_t rows, int64_t channels);

// result = gradient * by_gradient[c] + (value - mean[c]) * by_value[c] + offset[c], the gradient
// masked by `output` as above.
struct GradientPass {
  const float* gradient;
  const float* output;  // null: no relu, or masked already
  const float* values;
  const float* mean;
  float* result;
  const float* by_gradient;
  const float* by_value;
  const float* offset;
  ActivationPass activation = {};  // instead of a relu
};
void normalize_gradient_avx2(const GradientPass& pass, int64_t rows, int64_t channels);

}  // namespace hearth
