// Labels as shares of classes.
#include "hearth/data/label_shares.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/gamma_draw.h"

namespace hearth {

namespace {

bool is_label(const Spec& spec) {
  return (spec.dtype == DType::kInt64 && spec.shape.empty()) ||
         (spec.dtype == DType::kFloat32 && spec.shape == std::vector{spec.classes});
}

void to_shares(std::span<const int64_t> numbers, const BatchView& shares) {
  for (size_t row = 0; row < numbers.size(); ++row) {
    const auto to = shares.row(static_cast<int64_t>(row)).as<float>();
    std::fill(to.begin(), to.end(), 0.0F);
    if (numbers[row] < 0 || numbers[row] >= static_cast<int64_t>(to.size()))
      throw DataError("class " + std::to_string(numbers[row]) + " is not one of the " +
                      std::to_string(to.size()) + ".");
    to[static_cast<size_t>(numbers[row])] = 1;
  }
}

}  // namespace

double beta_draw(Random& random, double alpha) {
  const double left = log_gamma_draw(random, alpha);
  const double right = log_gamma_draw(random, alpha);
  return 1 / (1 + std::exp(right - left));
}

Spec shares_spec(const Spec& label, const std::string& op, const std::string& key) {
  if (label.role != Role::kClass || label.classes < 1 || !is_label(label))
    throw GraphError(op + ": key " + quote(key) +
                     " must hold a class number, int64 [B], or a share for each class, float32 "
                     "[B, classes], but is " +
                     label.text() + ".");
  Spec soft = label;
  soft.dtype = DType::kFloat32;
  soft.shape = {label.classes};
  return soft;
}

void blend_pairs(std::span<float> values, int64_t rows, float share) {
  const size_t row = values.size() / static_cast<size_t>(rows);
  for (int64_t i = 0; i < rows / 2; ++i) {
    float* left = values.data() + static_cast<size_t>(i) * row;
    float* right = values.data() + static_cast<size_t>(rows - 1 - i) * row;
    for (size_t k = 0; k < row; ++k) {
      const float a = left[k];
      const float b = right[k];
      left[k] = share * a + (1 - share) * b;
      right[k] = share * b + (1 - share) * a;
    }
  }
}

void blend_labels(const BatchView& labels, const BatchView& shares, float share) {
  if (labels.spec().dtype == DType::kInt64) to_shares(labels.as<int64_t>(), shares);
  blend_pairs(shares.as<float>(), labels.rows(), share);
}

}  // namespace hearth
