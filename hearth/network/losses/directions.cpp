// The loss of a classifier whose classes are directions.
#include "hearth/network/losses/directions.h"

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/where.h>

#include "hearth/network/losses/class_targets.h"

namespace hearth {

LossValues direction_loss(const at::Tensor& cosines, const at::Tensor& with_margin,
                          const at::Tensor& labels, double scale) {
  if (labels.is_floating_point()) {
    // Each class as the true one.
    const at::Tensor beside = cosines.unsqueeze(1);
    const at::Tensor is_own = is_one_class(beside.expand({-1, cosines.size(1), -1}));
    const at::Tensor scores = at::where(is_own, with_margin.unsqueeze(1), beside).mul(scale);
    return {weighed_by_shares(at::log_softmax(scores, 2).diagonal(0, 1, 2).neg(), labels)};
  }
  const at::Tensor scores =
      at::where(is_true_class(labels, cosines), with_margin, cosines).mul(scale);
  const at::Tensor counts = counted_labels(labels);
  const at::Tensor losses = of_true_class(at::log_softmax(scores, 1), labels).neg();
  return {losses.masked_fill(counts.logical_not(), 0), counts};
}

}  // namespace hearth
