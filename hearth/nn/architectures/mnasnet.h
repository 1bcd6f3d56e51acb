// Small networks found by a search for phones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MnasnetOptions {
  double alpha = 1;
  double dropout = 0.2;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<MnasnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> mnasnet(MnasnetOptions options = {});

}  // namespace hearth::layers
