// Which code computes: Hearth's own kernels or LibTorch's. Everything here stands beside a plain
// path of LibTorch's operators, which is its truth and its switch-off.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace hearth {

enum class Kernels : uint8_t {
  kFast,   // own kernels where there is one for the tensor and the machine
  kPlain,  // LibTorch's operators everywhere
};

// AVX2 and FMA; without them every kernel is the plain one. The environment's
// HEARTH_VECTOR_UNIT=off denies them, once for the whole process.
[[nodiscard]] bool has_vector_unit();
// AVX-512 too; HEARTH_VECTOR_UNIT=avx2 denies that alone.
[[nodiscard]] bool has_wide_vector_unit();
// Whether own kernels may work on this tensor: float32 in this machine's memory.
[[nodiscard]] bool goes_fast(Kernels kernels, const at::Tensor& tensor);

// A tensor that may be undefined, as autograd functions take it; contiguous in `format`.
[[nodiscard]] c10::optional<at::Tensor> optional_tensor(
    const at::Tensor& tensor, at::MemoryFormat format = at::MemoryFormat::Contiguous);

}  // namespace hearth
