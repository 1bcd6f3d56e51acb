// Hours, weekdays and months as points of a circle, where the last lies beside the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct CyclicOptions {
  std::string key = "features";
  std::vector<std::string> columns = {};  // must be given
  double period = 0;
  static const Schema<CyclicOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> cyclic(const CyclicOptions& options = {});

}  // namespace hearth::sample_ops
