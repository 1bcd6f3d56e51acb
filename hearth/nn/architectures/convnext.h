// ConvNeXt: a convolutional network with the manners of a vision transformer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct ConvnextOptions {
  std::string variant = "tiny";
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  std::optional<std::vector<int64_t>> widths = std::nullopt;  // what is left out is the variant's
  std::optional<std::vector<int64_t>> depths = std::nullopt;
  std::optional<double> drop_path = std::nullopt;
  double layer_scale = 1e-6;
  int64_t patch_size = 4;
  static const Schema<ConvnextOptions>& schema();
};

[[nodiscard]] Choice<Layer> convnext(ConvnextOptions options = {});

}  // namespace hearth::layers
