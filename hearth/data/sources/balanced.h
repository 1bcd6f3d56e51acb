// A source whose classes come equally often.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct BalancedOptions {
  std::optional<Choice<Source>> of = {};
  std::string key = "label";
  std::vector<double> weights = {};
  std::optional<int64_t> size = {};
  int64_t seed = 0;
  static const Schema<BalancedOptions>& schema();
};

[[nodiscard]] Choice<Source> balanced(const BalancedOptions& options = {});

}  // namespace hearth::sources
