// A classifier's answers beside the labels.
#include "hearth/metric/class_answers.h"

#include <ATen/TensorOperators.h>

#include <algorithm>

#include "hearth/tensor/class_scores.h"

namespace hearth {

at::Tensor class_numbers(const at::Tensor& labels) {
  return labels.is_floating_point() ? labels.argmax(1) : labels;
}

// A pass over memory on the host: a small step's time would else go into LibTorch's calls.
void add_counted(const at::Tensor& numbers, BatchSum<int64_t>& sum) {
  if (!numbers.is_cpu() || !numbers.is_contiguous() || numbers.scalar_type() != at::kLong)
    return sum.add(numbers.ne(kIgnoredLabel).sum());
  const int64_t* number = numbers.data_ptr<int64_t>();
  sum.add(numbers.numel() - std::count(number, number + numbers.numel(), kIgnoredLabel));
}

// In operators that every device has, LibTorch's `meta` among them.
at::Tensor is_class(const at::Tensor& numbers, int64_t classes) {
  return (numbers >= 0).bitwise_and(numbers < classes);
}

ClassAnswers class_answers(const at::Tensor& scores, const at::Tensor& labels) {
  const int64_t classes = scores.size(1);
  const at::Tensor numbers = class_numbers(labels);
  const at::Tensor counts = is_class(numbers, classes);
  const at::Tensor place_behind = counts.eq(false) * classes;
  return {(numbers * counts + place_behind).flatten(),
          (scores.argmax(1) * counts + place_behind).flatten()};
}

std::vector<std::string> names_of_classes(const Spec& scores, const Spec& labels) {
  const auto classes = static_cast<size_t>(scores.shape.front());
  for (const Spec* spec : {&labels, &scores})
    if (spec->class_names.size() == classes) return spec->class_names;
  std::vector<std::string> numbers;
  for (size_t i = 0; i < classes; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace hearth
