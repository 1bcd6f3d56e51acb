// Whether scores of classes and class numbers fit together.
#include "hearth/tensor/class_scores.h"

#include <algorithm>

#include "hearth/base/error.h"

namespace hearth {

bool are_soft_labels(const Spec& labels) {
  return is_floating(labels.dtype) && labels.role == Role::kClass && !labels.shape.empty();
}

void check_class_scores(const KeySpec& scores, const KeySpec& labels) {
  const Spec& score = scores.spec;
  const Spec& label = labels.spec;
  if (!is_floating(score.dtype) || score.is_per_batch || score.shape.empty()) {
    throw GraphError("needs a score for each class, float [B, classes], in '" + scores.key +
                     "', but it is " + score.text() + ". Name the key a model call writes.");
  }
  const bool is_soft = are_soft_labels(label);
  if ((label.dtype != DType::kInt64 && !is_soft) || label.is_per_batch) {
    throw GraphError(
        "needs class numbers, int64 [B], or a share for each class, float [B, "
        "classes], in '" +
        labels.key + "', but it is " + label.text() +
        ". Name the key that holds the data's labels.");
  }
  if (!std::equal(label.shape.begin(), label.shape.end(), score.shape.begin() + (is_soft ? 0 : 1),
                  score.shape.end())) {
    throw GraphError("needs one label for each row of scores, but '" + scores.key + "' is " +
                     score.text() + " and '" + labels.key + "' is " + label.text() +
                     ". Flatten what goes into the last layer, or use other keys.");
  }
  const int64_t classes = score.shape.front();
  if (label.classes > 0 && label.classes != classes) {
    throw GraphError(
        "'" + scores.key + "' scores " + std::to_string(classes) + " classes, but '" + labels.key +
        "' has " + std::to_string(label.classes) +
        ". Give the last layer as many values, or leave its number out to take it from the "
        "data.");
  }
}

}  // namespace hearth
