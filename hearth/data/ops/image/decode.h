// An image as its file has it, to bytes.
#pragma once

#include <cstdint>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct DecodeOptions {
  std::string key = "image";
  int64_t channels = 3;
  bool scaled = true;
  bool upright = false;
  static const Schema<DecodeOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> decode(DecodeOptions options = {});

}  // namespace hearth::sample_ops
