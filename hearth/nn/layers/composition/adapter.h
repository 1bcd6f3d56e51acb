// A layer with a small network after it, added to what it gives (a bottleneck adapter).
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct AdapterOptions {
  std::optional<Choice<Layer>> layer = {};  // the edit that puts it there says it
  int64_t size = 16;
  static const Schema<AdapterOptions>& schema();
};

[[nodiscard]] Choice<Layer> adapter(AdapterOptions options = {});

}  // namespace hearth::layers
