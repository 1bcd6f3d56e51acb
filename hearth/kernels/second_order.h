// Fast kernels have first gradients only.
#pragma once

namespace hearth {

// GraphError when the backward pass is itself being recorded: call it first in every fast backward.
void refuse_second_order();

}  // namespace hearth
