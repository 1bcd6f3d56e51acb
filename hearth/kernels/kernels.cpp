// Which code computes: Hearth's own kernels or LibTorch's.
#include "hearth/kernels/kernels.h"

namespace hearth {

bool has_vector_unit() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}

bool goes_fast(Kernels kernels, const at::Tensor& tensor) {
  return kernels == Kernels::kFast && tensor.is_cpu() && tensor.scalar_type() == at::kFloat &&
         tensor.layout() == at::kStrided && has_vector_unit();
}

}  // namespace hearth
