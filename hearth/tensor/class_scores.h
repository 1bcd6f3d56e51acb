// Whether scores of classes and class numbers fit together: losses and metrics ask the same.
#pragma once

#include <string>

#include "hearth/core/spec.h"

namespace hearth {

// A label that does not count, in losses and in metrics; PyTorch's default.
inline constexpr int64_t kIgnoredLabel = -100;

// Scores are float [B, classes, ...]; labels are int64 [B, ...] of as many classes, or soft: a
// share for each class, float of the scores' shape. GraphError says which key does not fit, and
// how.
void check_class_scores(const KeySpec& scores, const KeySpec& labels);
// Whether labels are shares of classes, not class numbers.
[[nodiscard]] bool are_soft_labels(const Spec& labels);

}  // namespace hearth
