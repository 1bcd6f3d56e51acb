// Several sources, mixed in given shares.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct MixOptions {
  std::vector<Choice<Source>> of = {};
  std::vector<double> weights = {};
  std::optional<int64_t> size = {};
  int64_t seed = 0;
  static const Schema<MixOptions>& schema();
};

[[nodiscard]] Choice<Source> mix(const MixOptions& options = {});

}  // namespace hearth::sources
