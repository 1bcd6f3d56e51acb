// Makes whole batches paler.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/batch_op.h"

namespace hearth::batch_ops {

struct OpenFadeOptions {
  std::string key = "image";
  double factor = 0.5;
  static const Schema<OpenFadeOptions>& schema();
};

[[nodiscard]] Choice<BatchOp> open_fade(OpenFadeOptions options = {});

}  // namespace hearth::batch_ops
