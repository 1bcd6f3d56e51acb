// What Hearth's kernels share of oneDNN: the engine, memory, matrix products.
#include "hearth/kernels/onednn.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "hearth/base/error.h"

namespace hearth {

const dnnl::engine& onednn_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& onednn_stream() {
  static thread_local dnnl::stream stream(onednn_engine());
  return stream;
}

dnnl::memory onednn_memory(const dnnl::memory::desc& layout, const void* data) {
  return {layout, onednn_engine(), const_cast<void*>(data)};
}

dnnl::primitive_attr with_given_scratch() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

at::Tensor onednn_scratch(const dnnl::memory::desc& layout) {
  const auto floats = static_cast<int64_t>((layout.get_size() + sizeof(float) - 1) / sizeof(float));
  return at::empty({std::max<int64_t>(floats, 1)}, at::kFloat);
}

void multiply(int64_t rows, int64_t columns, int64_t inner, const Matrix& left, const Matrix& right,
              float* into, int64_t stride, float scale, float keep) {
  if (rows == 0 || columns == 0) return;
  const dnnl::status status = dnnl::sgemm(
      left.is_transposed ? 'T' : 'N', right.is_transposed ? 'T' : 'N', rows, columns, inner, scale,
      left.values, left.stride, right.values, right.stride, keep, into, stride);
  if (status != dnnl::status::success) throw InternalError("oneDNN refused a matrix product.");
}

}  // namespace hearth
