// Fast kernels have first gradients only.
#include "hearth/kernels/second_order.h"

#include <c10/core/GradMode.h>

#include "hearth/base/error.h"

namespace hearth {

void refuse_second_order() {
  if (!c10::GradMode::is_enabled()) return;
  throw GraphError("Gradients of gradients need LibTorch's kernels. Set kernels: plain.");
}

}  // namespace hearth
