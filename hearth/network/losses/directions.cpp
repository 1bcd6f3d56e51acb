// The loss of a classifier whose classes are directions.
#include "hearth/network/losses/directions.h"

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/where.h>

#include "hearth/network/losses/class_targets.h"

namespace hearth {

LossValues direction_loss(const at::Tensor& cosines, const at::Tensor& with_margin,
                          const at::Tensor& labels, double scale) {
  const at::Tensor scores =
      at::where(is_true_class(labels, cosines), with_margin, cosines).mul(scale);
  const at::Tensor counts = counted_labels(labels);
  const at::Tensor losses = of_true_class(at::log_softmax(scores, 1), labels).neg();
  return {losses.masked_fill(counts.logical_not(), 0), counts};
}

}  // namespace hearth
