// Several keys of numbers as one vector.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ConcatFeaturesOptions {
  std::vector<std::string> keys = {};  // must be given
  std::string out = "features";
  static const Schema<ConcatFeaturesOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> concat_features(const ConcatFeaturesOptions& options = {});

}  // namespace hearth::sample_ops
