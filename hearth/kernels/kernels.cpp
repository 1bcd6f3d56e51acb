// Which code computes: Hearth's own kernels or LibTorch's, and how exactly it multiplies.
#include "hearth/kernels/kernels.h"

#include <cstdlib>
#include <string_view>

#include "hearth/base/processor.h"

namespace hearth {
namespace {

// What HEARTH_VECTOR_UNIT may allow at most, from the least on; anything else allows everything.
enum class Unit : uint8_t { kOff, kAvx2, kAvx512, kAll };

Unit allowed_unit() {
  const char* setting = std::getenv("HEARTH_VECTOR_UNIT");
  if (setting == nullptr) return Unit::kAll;
  const std::string_view text = setting;
  if (text == "off") return Unit::kOff;
  if (text == "avx2") return Unit::kAvx2;
  return text == "avx512" ? Unit::kAvx512 : Unit::kAll;
}

}  // namespace

bool has_vector_unit() {
  static const bool has =
      processor().has_avx2 && processor().has_fma && allowed_unit() >= Unit::kAvx2;
  return has;
}

bool has_wide_vector_unit() {
  static const bool has =
      has_vector_unit() && processor().has_avx512f && allowed_unit() >= Unit::kAvx512;
  return has;
}

bool has_bfloat16_unit() {
  static const bool has = has_wide_vector_unit() && processor().has_avx512_bf16 &&
                          processor().has_avx512bw && processor().has_avx512vl &&
                          allowed_unit() == Unit::kAll;
  return has;
}

c10::optional<at::Tensor> optional_tensor(const at::Tensor& tensor, at::MemoryFormat format) {
  if (!tensor.defined()) return c10::nullopt;
  return tensor.contiguous(format);
}

bool goes_fast(Kernels kernels, const at::Tensor& tensor) {
  return kernels.is_fast && tensor.is_cpu() && tensor.scalar_type() == at::kFloat &&
         tensor.layout() == at::kStrided && has_vector_unit();
}

}  // namespace hearth
