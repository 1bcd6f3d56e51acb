// Blends the samples of a batch and their labels, pair by pair.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct MixupOptions {
  std::string key = "image";
  std::string label = "label";
  double alpha = 0.2;
  static const Schema<MixupOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> mixup(MixupOptions options = {});

}  // namespace hearth::batch_ops
