// Class numbers and yes-or-no answers as losses need them. Nothing here asks the device for a
// value.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace hearth {

// Numbers of an option, where and of the type that `like` is; of shape [1, n, 1, ...] with as many
// dimensions, when `spread`.
[[nodiscard]] at::Tensor numbers_for(const std::vector<double>& numbers, const at::Tensor& like,
                                     bool spread = false);
// True numbers in the type and shape of the predicted ones.
[[nodiscard]] at::Tensor numbers_like(const at::Tensor& truth, const at::Tensor& predicted);
// Where a score is the true class's: booleans of the shape of the scores, [B, classes, ...].
// Labels that do not count are nowhere.
[[nodiscard]] at::Tensor is_true_class(const at::Tensor& labels, const at::Tensor& scores);
// A soft label is a share for each class, float [B, classes, ...]: the loss is that of every class,
// weighed by its share. Sum of the losses [B, classes, ...] times their shares.
[[nodiscard]] at::Tensor weighed_by_shares(const at::Tensor& losses, const at::Tensor& shares);
// Booleans [1, classes, classes, 1, ...], true where both are one class, beside values of so many
// dimensions.
[[nodiscard]] at::Tensor is_one_class(const at::Tensor& values);
// Which labels count: all but kIgnoredLabel.
[[nodiscard]] at::Tensor counted_labels(const at::Tensor& labels);
// The value of each label's own class, of values [B, classes, ...]; of any class for labels that do
// not count.
[[nodiscard]] at::Tensor of_true_class(const at::Tensor& values, const at::Tensor& labels);

}  // namespace hearth
