// Weights and masks of samples or of places.
#include "hearth/tensor/sample_weights.h"

#include <algorithm>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

at::Tensor with_dimensions(const at::Tensor& weights, int64_t dimensions) {
  std::vector<int64_t> sizes = weights.sizes().vec();
  while (static_cast<int64_t>(sizes.size()) > dimensions && sizes.back() == 1) sizes.pop_back();
  sizes.resize(static_cast<size_t>(dimensions), 1);
  return weights.reshape(sizes);
}

bool starts_with(at::IntArrayRef whole, at::IntArrayRef start) {
  for (size_t i = 0; i < start.size() && i < whole.size(); ++i)
    if (start[i] != whole[i] && start[i] != 1) return false;
  return true;
}

bool may_be_equal(std::span<const int64_t> left, std::span<const int64_t> right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](int64_t one, int64_t other) {
                      return one == other || one == kAnyLength || other == kAnyLength;
                    });
}

}  // namespace

bool is_spread_over(std::span<const int64_t> weights, std::span<const int64_t> values) {
  while (!weights.empty() && weights.size() > values.size() && weights.back() == 1)
    weights = weights.first(weights.size() - 1);
  const auto starts = [](std::span<const int64_t> start, std::span<const int64_t> whole) {
    return start.size() <= whole.size() && may_be_equal(start, whole.first(start.size()));
  };
  return starts(weights, values) ||
         (values.size() > 1 && weights.size() + 1 == values.size() &&
          may_be_equal(weights, values.subspan(1))) ||
         (weights.size() == 1 && weights[0] == 1);
}

at::Tensor spread_over(const at::Tensor& weights, const at::Tensor& values) {
  if (starts_with(values.sizes(), weights.sizes())) return with_dimensions(weights, values.dim());
  return with_dimensions(weights.unsqueeze(1), values.dim());
}

void check_weight(const KeySpec& weight, const char* option, std::span<const int64_t> shape,
                  const char* each) {
  if (!weight.spec.is_per_batch && is_spread_over(weight.spec.shape, shape)) return;
  Spec wanted;
  wanted.shape.assign(shape.begin(), shape.end());
  wanted.dtype = weight.spec.dtype;
  const std::string all =
      shape.empty() ? "" : " or for each " + std::string(each) + ", " + wanted.text() + ",";
  throw GraphError(std::string(option) + " needs a number for each sample, [B]," + all + " but " +
                   quote(weight.key) + " is " + weight.spec.text() + ". Name such a key.");
}

void check_mask(const KeySpec& mask, std::span<const int64_t> shape, const char* each) {
  if (is_floating(mask.spec.dtype) && mask.spec.role != Role::kMask)
    throw GraphError("mask needs yes or no, bool or whole numbers, but " + quote(mask.key) +
                     " is " + mask.spec.text() + ". Use weight for numbers between.");
  check_weight(mask, "mask", shape, each);
}

}  // namespace hearth
