// Spreads the values of a channel so that all occur about as often.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct EqualizeOptions {
  std::string key = "image";
  double probability = 0.5;
  static const Schema<EqualizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> equalize(EqualizeOptions options = {});

}  // namespace hearth::sample_ops
