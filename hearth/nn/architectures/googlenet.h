// Inception's first network: windows of different sides beside each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GooglenetOptions {
  bool aux_logits = false;
  bool transform_input = false;
  double dropout = 0.2;
  double dropout_aux = 0.7;
  double width_mult = 1;
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<GooglenetOptions>& schema();
};

[[nodiscard]] Choice<Layer> googlenet(GooglenetOptions options = {});

}  // namespace hearth::layers
