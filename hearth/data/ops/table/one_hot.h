// Class numbers as vectors with a 1 at the place of the class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct OneHotOptions {
  std::vector<std::string> keys = {"label"};
  static const Schema<OneHotOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> one_hot(const OneHotOptions& options = {});

}  // namespace hearth::sample_ops
