// The first samples of a source.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct FirstOptions {
  std::optional<Choice<Source>> of = {};
  int64_t count = 100;
  static const Schema<FirstOptions>& schema();
};

[[nodiscard]] Choice<Source> first(const FirstOptions& options = {});

}  // namespace hearth::sources
