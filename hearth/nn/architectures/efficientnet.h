// EfficientNets: mobile blocks, wider and deeper by one rule, and their second version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct EfficientnetOptions {
  std::string variant = "b0";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<double> width = std::nullopt;  // what is left out is the variant's
  std::optional<double> depth = std::nullopt;
  std::optional<double> dropout = std::nullopt;
  double drop_path = 0.2;
  static const Schema<EfficientnetOptions>& schema();
};

[[nodiscard]] Choice<Layer> efficientnet(EfficientnetOptions options = {});

}  // namespace hearth::layers
