// Several sources one after another.
#pragma once

#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ConcatOptions {
  std::vector<Choice<Source>> of = {};
  static const Schema<ConcatOptions>& schema();
};

[[nodiscard]] Choice<Source> concat(const ConcatOptions& options = {});

}  // namespace hearth::sources
