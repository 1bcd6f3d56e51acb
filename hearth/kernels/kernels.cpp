// Which code computes: Hearth's own kernels or LibTorch's.
#include "hearth/kernels/kernels.h"

#include <cstdlib>
#include <string_view>

namespace hearth {
namespace {

bool is_vector_unit_denied() {
  const char* setting = std::getenv("HEARTH_VECTOR_UNIT");
  return setting != nullptr && std::string_view(setting) == "off";
}

}  // namespace

bool has_vector_unit() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("fma") != 0 && !is_vector_unit_denied();
  return has;
}

c10::optional<at::Tensor> optional_tensor(const at::Tensor& tensor, at::MemoryFormat format) {
  if (!tensor.defined()) return c10::nullopt;
  return tensor.contiguous(format);
}

bool goes_fast(Kernels kernels, const at::Tensor& tensor) {
  return kernels == Kernels::kFast && tensor.is_cpu() && tensor.scalar_type() == at::kFloat &&
         tensor.layout() == at::kStrided && has_vector_unit();
}

}  // namespace hearth
