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

// Of every expression, for one kind of processor.
struct ActivationPasses {
  PointwisePasses silu;
  PointwisePasses hardswish;
  PointwisePasses hardsigmoid;
  PointwisePasses relu6;
  PointwisePasses gelu;  // the exact one
};

[[nodiscard]] ActivationPasses activation_passes_avx2();
[[nodiscard]] ActivationPasses activation_passes_avx512();

}  // namespace hearth
