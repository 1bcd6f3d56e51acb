// Text as the number that it writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/table/table_column.h"

namespace hearth::sample_ops {

struct ToNumberOptions {
  std::string in = "text";
  std::string out = "number";
  std::vector<std::string> missing = usual_missing_texts();
  static const Schema<ToNumberOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> to_number(const ToNumberOptions& options = {});

}  // namespace hearth::sample_ops
