// What Hearth's kernels share of oneDNN: the engine, memory, matrix products.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <dnnl.hpp>

namespace hearth {

[[nodiscard]] const dnnl::engine& onednn_engine();
[[nodiscard]] dnnl::stream& onednn_stream();  // one per thread
// Memory that stays the caller's; oneDNN's type knows no constness.
[[nodiscard]] dnnl::memory onednn_memory(const dnnl::memory::desc& layout, const void* data);

// A kernel's working memory comes from its caller: oneDNN's own belongs to the thread that made the
// kernel, so that no other thread could run it.
[[nodiscard]] dnnl::primitive_attr with_given_scratch();
[[nodiscard]] at::Tensor onednn_scratch(const dnnl::memory::desc& layout);

// A matrix by rows; `stride` values lie between the starts of two rows.
struct Matrix {
  const float* values = nullptr;
  int64_t stride = 0;
  bool is_transposed = false;
};

// into[m, n] = scale * left[m, k] * right[k, n] + keep * into. Uses all threads, or only its own
// when it is called from a parallel region.
void multiply(int64_t rows, int64_t columns, int64_t inner, const Matrix& left, const Matrix& right,
              float* into, int64_t stride, float scale = 1, float keep = 0);

}  // namespace hearth
