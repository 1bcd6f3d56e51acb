// The loss of a classifier whose classes are directions.
#pragma once

#include "hearth/network/losses/loss_op.h"

namespace hearth {

// The cross entropy of cosines [B, classes] as scores, with another cosine for the true class.
[[nodiscard]] LossValues direction_loss(const at::Tensor& cosines, const at::Tensor& with_margin,
                                        const at::Tensor& labels, double scale);

}  // namespace hearth
