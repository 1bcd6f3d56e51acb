// Predicted numbers beside the true ones.
#include "hearth/metric/number_pairs.h"

#include <ATen/TensorOperators.h>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// Without dimensions of one number at its end.
std::vector<int64_t> shape_that_matters(std::vector<int64_t> shape) {
  while (!shape.empty() && shape.back() == 1) shape.pop_back();
  return shape;
}

}  // namespace

void check_number_pairs(const KeySpec& prediction, const KeySpec& target) {
  if (!is_floating(prediction.spec.dtype))
    throw GraphError("needs predicted numbers, float [B, ...], in " + quote(prediction.key) +
                     ", but it is " + prediction.spec.text() +
                     ". Name the key a model call writes.");
  if (target.spec.role == Role::kClass)
    throw GraphError("needs numbers in " + quote(target.key) + ", but it holds classes, " +
                     target.spec.text() + ", whose differences mean nothing. Use accuracy or f1.");
  const bool fits =
      prediction.spec.is_per_batch == target.spec.is_per_batch &&
      shape_that_matters(prediction.spec.shape) == shape_that_matters(target.spec.shape);
  if (!fits)
    throw GraphError("needs a true number for each predicted one, but " + quote(prediction.key) +
                     " is " + prediction.spec.text() + " and " + quote(target.key) + " is " +
                     target.spec.text() +
                     ". Give the last layer as many values as the target has.");
}

at::Tensor errors_of(std::span<const at::Tensor> prediction_and_target) {
  const at::Tensor& prediction = prediction_and_target[0];
  return prediction.to(at::kDouble) -
         prediction_and_target[1].to(at::kDouble).reshape(prediction.sizes());
}

}  // namespace hearth
