// A source several times over.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct RepeatOptions {
  std::optional<Choice<Source>> of = {};
  int64_t times = 2;
  static const Schema<RepeatOptions>& schema();
};

[[nodiscard]] Choice<Source> repeat(const RepeatOptions& options = {});

}  // namespace hearth::sources
