// Passes over rows of attention scores: by the widest vectors there are.
#include "hearth/kernels/attention/attention_passes.h"

#include "hearth/kernels/kernels.h"

namespace hearth {

const AttentionPasses& attention_passes() {
  static const AttentionPasses found =
      has_wide_vector_unit() ? attention_passes_avx512() : attention_passes_avx2();
  return found;
}

}  // namespace hearth
