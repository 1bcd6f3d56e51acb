// Passes of layer normalization over [rows, columns]. For processors with AVX2.
#pragma once

#include <cstdint>

namespace hearth {

// Also gives each row's mean and 1/deviation.
struct LayerNormPass {
  const float* input;
  const float* weight;
  const float* bias;  // null for none
  float eps;
  float* output;
  float* mean;
  float* inverse;
};
void layer_norm_avx2(const LayerNormPass& pass, int64_t rows, int64_t columns);

// Gradients of rows; those of weight and bias are added to what is there.
struct LayerNormGradientPass {
  const float* gradient;
  const float* input;
  const float* weight;
  const float* mean;
  const float* inverse;
  float* result;
  float* by_weight;
  float* by_bias;
};
void layer_norm_gradient_avx2(const LayerNormGradientPass& pass, int64_t rows, int64_t columns);

}  // namespace hearth
