// Class numbers and yes-or-no answers as losses need them.
#include "hearth/network/losses/class_targets.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>

#include "hearth/tensor/class_scores.h"

namespace hearth {

at::Tensor numbers_for(const std::vector<double>& numbers, const at::Tensor& like, bool spread) {
  const at::Tensor values = at::tensor(numbers).to(like.options());
  if (!spread) return values;
  std::vector<int64_t> sizes(static_cast<size_t>(like.dim()), 1);
  sizes[1] = values.numel();
  return values.reshape(sizes);
}

at::Tensor numbers_like(const at::Tensor& truth, const at::Tensor& predicted) {
  return truth.to(predicted.scalar_type()).reshape(predicted.sizes());
}

at::Tensor is_true_class(const at::Tensor& labels, const at::Tensor& scores) {
  std::vector<int64_t> sizes(static_cast<size_t>(scores.dim()), 1);
  sizes[1] = scores.size(1);
  return at::arange(scores.size(1), labels.options()).reshape(sizes).eq(labels.unsqueeze(1));
}

at::Tensor weighed_by_shares(const at::Tensor& losses, const at::Tensor& shares) {
  return losses.mul(shares.to(losses.scalar_type())).sum(1);
}

at::Tensor is_one_class(const at::Tensor& values) {
  const int64_t classes = values.size(1);
  std::vector<int64_t> sizes(static_cast<size_t>(values.dim()), 1);
  sizes[1] = classes;
  sizes[2] = classes;
  const at::Tensor numbers = at::arange(classes, values.options().dtype(at::kLong));
  return numbers.unsqueeze(0).eq(numbers.unsqueeze(1)).reshape(sizes);
}

at::Tensor counted_labels(const at::Tensor& labels) { return labels.ne(kIgnoredLabel); }

at::Tensor of_true_class(const at::Tensor& values, const at::Tensor& labels) {
  const at::Tensor known = labels.masked_fill(labels.eq(kIgnoredLabel), 0);
  return values.gather(1, known.unsqueeze(1)).squeeze(1);
}

}  // namespace hearth
