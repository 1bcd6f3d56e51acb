// Draws which classes are taken for which, after each evaluation.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::traces {

struct ConfusionMatrixOptions {
  std::vector<std::string> in = {"logits", "label"};
  bool picture = true;
  std::string out = "confusion";
  static const Schema<ConfusionMatrixOptions>& schema();
};

[[nodiscard]] Choice<Trace> confusion_matrix(ConfusionMatrixOptions options = {});

}  // namespace hearth::traces
