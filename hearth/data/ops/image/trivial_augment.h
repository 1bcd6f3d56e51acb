// One change of any strength for each image.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct TrivialAugmentOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> fill = {0};
  int64_t bins = 31;
  static const Schema<TrivialAugmentOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> trivial_augment(TrivialAugmentOptions options = {});

}  // namespace hearth::sample_ops
