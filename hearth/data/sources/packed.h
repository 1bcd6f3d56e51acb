// Data that `hearth data pack` wrote: shards that are mapped into memory.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct PackedOptions {
  std::string folder = {};
  static const Schema<PackedOptions>& schema();
};

[[nodiscard]] Choice<Source> packed(PackedOptions options = {});

}  // namespace hearth::sources
