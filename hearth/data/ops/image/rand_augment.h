// A few changes drawn for each image, all of one strength.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RandAugmentOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> fill = {0};
  int64_t num_ops = 2;
  int64_t magnitude = 9;
  int64_t bins = 31;
  static const Schema<RandAugmentOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> rand_augment(RandAugmentOptions options = {});

}  // namespace hearth::sample_ops
