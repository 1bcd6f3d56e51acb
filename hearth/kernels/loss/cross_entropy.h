// The loss of a classifier: the mean of -log softmax(scores)[label].
#pragma once

#include "hearth/kernels/kernels.h"

namespace hearth {

// Scores [B, classes, ...] and class numbers [B, ...] to one number. Labels of -100 do not count.
// Soft labels, [B, classes, ...], are shares of all classes.
[[nodiscard]] at::Tensor class_loss(Kernels kernels, const at::Tensor& scores,
                                    const at::Tensor& labels, double label_smoothing);

}  // namespace hearth
