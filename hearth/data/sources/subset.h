// A part of a source.
#pragma once

#include <cstdint>
#include <optional>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct SubsetOptions {
  std::optional<Choice<Source>> of = {};
  double from = 0;
  double until = 1;
  int64_t every = 1;
  int64_t offset = 0;
  static const Schema<SubsetOptions>& schema();
};

[[nodiscard]] Choice<Source> subset(const SubsetOptions& options = {});

}  // namespace hearth::sources
