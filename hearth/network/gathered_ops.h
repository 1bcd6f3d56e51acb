// Ops of a training step that is made of what comes first.
#pragma once

#include <span>

#include "hearth/network/bound_op.h"

namespace hearth {

// How many ops there are up to the update, and with it.
[[nodiscard]] size_t end_of_update(std::span<const BoundOp> ops);
// ConfigError, at its place, for an op that such a step cannot have.
void check_gathered(std::span<const BoundOp> ops);

}  // namespace hearth
