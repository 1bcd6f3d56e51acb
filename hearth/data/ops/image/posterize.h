// Keeps only the upper bits of every byte.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct PosterizeOptions {
  std::string key = "image";
  double probability = 0.5;
  int64_t bits = 4;
  static const Schema<PosterizeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> posterize(PosterizeOptions options = {});

}  // namespace hearth::sample_ops
