// Whether scores of classes and class numbers fit together: losses and metrics ask the same.
#pragma once

#include <string>

#include "hearth/core/spec.h"

namespace hearth {

// Scores are float [B, classes, ...], labels int64 [B, ...] of as many classes. GraphError says
// which key does not fit, and how.
void check_class_scores(const KeySpec& scores, const KeySpec& labels);

[[nodiscard]] bool is_floating(DType dtype);

}  // namespace hearth
