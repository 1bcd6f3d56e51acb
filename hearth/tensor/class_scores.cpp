// Whether scores of classes and class numbers fit together.
#include "hearth/tensor/class_scores.h"

#include <algorithm>

#include "hearth/base/error.h"

namespace hearth {

bool is_floating(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16 || dtype == DType::kFloat32 ||
         dtype == DType::kFloat64;
}

void check_class_scores(const KeySpec& scores, const KeySpec& labels) {
  const Spec& score = scores.spec;
  const Spec& label = labels.spec;
  if (!is_floating(score.dtype) || score.is_per_batch || score.shape.empty()) {
    throw GraphError("needs a score for each class, float [B, classes], in '" + scores.key +
                     "', but it is " + score.text() + ". Name the key a model call writes.");
  }
  if (label.dtype != DType::kInt64 || label.is_per_batch) {
    throw GraphError("needs class numbers, int64 [B], in '" + labels.key + "', but it is " +
                     label.text() + ". Name the key that holds the data's labels.");
  }
  if (!std::equal(label.shape.begin(), label.shape.end(), score.shape.begin() + 1,
                  score.shape.end())) {
    throw GraphError("needs one label for each row of scores, but '" + scores.key + "' is " +
                     score.text() + " and '" + labels.key + "' is " + label.text() +
                     ". Flatten what goes into the last layer, or use other keys.");
  }
  const int64_t classes = score.shape.front();
  if (label.classes > 0 && label.classes != classes) {
    throw GraphError("'" + scores.key + "' scores " + std::to_string(classes) + " classes, but '" +
                     labels.key + "' has " + std::to_string(label.classes) +
                     ". Leave the model's classes out to take them from the data.");
  }
}

}  // namespace hearth
