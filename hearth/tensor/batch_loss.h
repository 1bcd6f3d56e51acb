// Whether a key holds a loss: updates and metrics ask the same.
#pragma once

#include "hearth/core/spec.h"

namespace hearth {

// A loss is one float for the whole batch. GraphError says what the key holds instead.
void check_batch_loss(const KeySpec& loss);

}  // namespace hearth
