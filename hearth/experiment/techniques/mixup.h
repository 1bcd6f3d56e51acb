// Training on blends of samples.
#pragma once

#include <optional>
#include <string>

#include "hearth/experiment/technique.h"

namespace hearth::techniques {

struct MixupOptions {
  double alpha = 0.2;
  std::optional<std::string> key = {};
  std::optional<std::string> loss = {};
  static const Schema<MixupOptions>& schema();
};

[[nodiscard]] Choice<Technique> mixup(MixupOptions options = {});

}  // namespace hearth::techniques
