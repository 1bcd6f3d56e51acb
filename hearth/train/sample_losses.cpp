// The loss of each sample of a batch.
#include "hearth/train/sample_losses.h"

#include <ATen/ops/cross_entropy_loss.h>

#include "hearth/base/error.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

// A number for each sample: the mean over all that it has more of.
at::Tensor mean_of_rows(const at::Tensor& values) {
  return values.dim() > 1 ? values.flatten(1).mean(1) : values;
}

}  // namespace

void check_sample_losses(const std::vector<std::string>& in, const std::vector<Spec>& inputs) {
  if (inputs.size() == 2) return check_class_scores({in[0], inputs[0]}, {in[1], inputs[1]});
  if (inputs[0].is_per_batch || !is_floating(inputs[0].dtype))
    throw GraphError("wants a loss for each sample in '" + in[0] + "', but it is " +
                     inputs[0].text() + ". Name the scores and the labels instead.");
}

SampleLosses sample_losses(std::span<const at::Tensor> values) {
  const at::Tensor& first = values[0];
  if (values.size() == 1) return {mean_of_rows(first), {}, {}};
  const at::Tensor& labels = values[1];
  const at::Tensor losses = at::cross_entropy_loss(first, labels, {}, at::Reduction::None);
  if (labels.is_floating_point() || labels.dim() != 1) return {mean_of_rows(losses), {}, {}};
  return {mean_of_rows(losses), labels, first.argmax(1)};
}

}  // namespace hearth
