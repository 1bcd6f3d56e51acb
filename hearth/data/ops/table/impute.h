// Numbers in the place of missing ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ImputeOptions {
  std::string key = "features";
  std::string by = "mean";
  std::vector<double> values = {};
  std::string indicator = {};
  static const Schema<ImputeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> impute(const ImputeOptions& options = {});

}  // namespace hearth::sample_ops
