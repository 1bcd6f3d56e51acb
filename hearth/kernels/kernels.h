// Which code computes: Hearth's own kernels or LibTorch's, and how exactly it multiplies.
// Everything here stands beside a plain path of LibTorch's operators, which is its truth and its
// switch-off.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace hearth {

// What the factors of products (linear layers, convolutions, attention) are rounded to. Sums,
// parameters, activations and all other computations are float32.
enum class Precision : uint8_t { kFloat32, kBfloat16, kFloat16 };

struct Kernels {
  bool is_fast = true;  // own kernels where there is one for the tensor and the machine
  Precision precision = Precision::kFloat32;

  static const Kernels kFast;
  static const Kernels kPlain;  // LibTorch's operators everywhere
  [[nodiscard]] constexpr Kernels in(Precision other) const { return {is_fast, other}; }
  [[nodiscard]] constexpr bool operator==(const Kernels&) const = default;
};
inline constexpr Kernels Kernels::kFast = {};
inline constexpr Kernels Kernels::kPlain = {.is_fast = false};

// AVX2 and FMA; without them every kernel is the plain one. The environment's
// HEARTH_VECTOR_UNIT=off denies them, once for the whole process.
[[nodiscard]] bool has_vector_unit();
// AVX-512 too; HEARTH_VECTOR_UNIT=avx2 denies that alone.
[[nodiscard]] bool has_wide_vector_unit();
// Its instructions for products of bfloat16 too; HEARTH_VECTOR_UNIT=avx512 denies those alone.
[[nodiscard]] bool has_bfloat16_unit();
// Whether own kernels may work on this tensor: float32 in this machine's memory.
[[nodiscard]] bool goes_fast(Kernels kernels, const at::Tensor& tensor);

// A tensor that may be undefined, as autograd functions take it; contiguous in `format`.
[[nodiscard]] c10::optional<at::Tensor> optional_tensor(
    const at::Tensor& tensor, at::MemoryFormat format = at::MemoryFormat::Contiguous);

}  // namespace hearth
