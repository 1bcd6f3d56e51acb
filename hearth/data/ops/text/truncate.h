// Values cut to a length.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct TruncateOptions {
  std::string key = "tokens";
  int64_t length = 0;  // must be given
  std::string keep = "start";
  static const Schema<TruncateOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> truncate(TruncateOptions options = {});

}  // namespace hearth::sample_ops
