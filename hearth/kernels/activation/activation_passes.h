// Passes over values of one expression and of its slope.
#pragma once

#include <cstdint>

namespace hearth {

struct PointwisePasses {
  // output[i] = f(input[i])
  void (*values)(const float* input, float* output, int64_t count);
  // result[i] = gradient[i] * f'(input[i])
  void (*gradient)(const float* input, const float* gradient, float* result, int64_t count);
};

// Of an expression whose value and slope share most of their work.
struct SlopePasses {
  void (*values)(const float* input, float* output, int64_t count);
  // slopes[i] = f'(input[i]) too.
  void (*both)(const float* input, float* output, float* slopes, int64_t count);
  // result[i] = gradient[i] * slopes[i]
  void (*gradient)(const float* slopes, const float* gradient, float* result, int64_t count);
};

// Of every expression, for one kind of processor.
struct ActivationPasses {
  PointwisePasses silu;
  PointwisePasses hardswish;
  PointwisePasses hardsigmoid;
  PointwisePasses relu6;
  SlopePasses gelu;  // the exact one
};

[[nodiscard]] ActivationPasses activation_passes_avx2();
[[nodiscard]] ActivationPasses activation_passes_avx512();

}  // namespace hearth
