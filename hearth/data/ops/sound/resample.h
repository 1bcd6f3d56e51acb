// Sound at another rate.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct ResampleOptions {
  std::string key = "sound";
  int64_t rate = 16'000;
  static const Schema<ResampleOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> resample(ResampleOptions options = {});

}  // namespace hearth::sample_ops
