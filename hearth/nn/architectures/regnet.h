// RegNets: residual networks whose widths grow by a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct RegnetOptions {
  std::string variant = "y_400mf";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<std::vector<int64_t>> widths = std::nullopt;  // what is left out is the variant's
  std::optional<std::vector<int64_t>> depths = std::nullopt;
  std::optional<int64_t> group_width = std::nullopt;
  static const Schema<RegnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> regnet(RegnetOptions options = {});

}  // namespace hearth::layers
