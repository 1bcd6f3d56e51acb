// A pair of changes out of those that were learned on a data set.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct AutoAugmentOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> fill = {0};
  std::string policy = "imagenet";
  static const Schema<AutoAugmentOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> auto_augment(AutoAugmentOptions options = {});

}  // namespace hearth::sample_ops
