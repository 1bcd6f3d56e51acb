// Random numbers for each sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::network_ops {

struct NoiseOptions {
  std::vector<int64_t> shape = {64};
  std::string like = "image";
  std::string out = "noise";
  static const Schema<NoiseOptions>& schema();
};

[[nodiscard]] Choice<NetworkOp> noise(NoiseOptions options = {});

}  // namespace hearth::network_ops
