// Keys that are gone from here on.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct DropOptions {
  std::vector<std::string> keys = {};  // must be given
  static const Schema<DropOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> drop(const DropOptions& options = {});

}  // namespace hearth::sample_ops
