// Which code computes: Hearth's own kernels or LibTorch's.
#include "hearth/kernels/kernels.h"

#include <cstdlib>
#include <string_view>

namespace hearth {
namespace {

// HEARTH_VECTOR_UNIT: at most `avx2`, or `off`.
bool is_denied(bool is_wide) {
  const char* setting = std::getenv("HEARTH_VECTOR_UNIT");
  if (setting == nullptr) return false;
  return std::string_view(setting) == "off" || (is_wide && std::string_view(setting) == "avx2");
}

}  // namespace

bool has_vector_unit() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("fma") != 0 && !is_denied(false);
  return has;
}

bool has_wide_vector_unit() {
  static const bool has =
      has_vector_unit() && __builtin_cpu_supports("avx512f") != 0 && !is_denied(true);
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
