// Exchanges a rectangle between the images of a batch, pair by pair, and blends their labels.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct CutmixOptions {
  std::string key = "image";
  std::string label = "label";
  double alpha = 1;
  static const Schema<CutmixOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> cutmix(CutmixOptions options = {});

}  // namespace hearth::batch_ops
