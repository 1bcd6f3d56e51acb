// Counting right answers on the host.
#include "hearth/tensor/best_class.h"

#include <cmath>

namespace hearth {

bool are_plain_rows(const at::Tensor& scores, const at::Tensor& labels) {
  return scores.is_cpu() && labels.is_cpu() && scores.scalar_type() == at::kFloat &&
         labels.scalar_type() == at::kLong && scores.dim() == 2 && labels.dim() == 1 &&
         scores.size(1) > 0 && scores.size(0) == labels.size(0) && scores.is_contiguous() &&
         labels.is_contiguous();
}

int64_t best_class(const float* scores, int64_t classes) {
  int64_t best = 0;
  for (int64_t i = 1; i < classes && !std::isnan(scores[best]); ++i)
    if (!(scores[i] <= scores[best])) best = i;  // true for NaN too
  return best;
}

std::optional<int64_t> correct_rows(const at::Tensor& scores, const at::Tensor& labels) {
  if (!are_plain_rows(scores, labels)) return std::nullopt;
  const int64_t classes = scores.size(1);
  const float* row = scores.data_ptr<float>();
  const int64_t* label = labels.data_ptr<int64_t>();
  int64_t correct = 0;
  for (int64_t i = 0; i < labels.size(0); ++i, row += classes)
    correct += best_class(row, classes) == label[i] ? 1 : 0;
  return correct;
}

}  // namespace hearth
