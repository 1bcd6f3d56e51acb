// Values of any size filled up to one size.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct PadToOptions {
  std::string key = "tokens";
  std::vector<int64_t> size = {};
  double fill = 0;
  std::string too_long = "error";
  std::string mask = {};
  std::vector<std::string> keys = {};
  std::optional<double> mask_fill = {};
  static const Schema<PadToOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> pad_to(PadToOptions options = {});

}  // namespace hearth::sample_ops
