// Several chains of changes of an image, mixed with the image itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct AugMixOptions {
  std::string key = "image";
  double probability = 1;
  std::vector<double> fill = {0};
  int64_t severity = 3;
  int64_t mixture_width = 3;
  int64_t chain_depth = -1;
  double alpha = 1;
  bool all_ops = true;
  static const Schema<AugMixOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> aug_mix(AugMixOptions options = {});

}  // namespace hearth::sample_ops
