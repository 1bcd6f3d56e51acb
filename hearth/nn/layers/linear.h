// A linear layer: out = in * weight^T + bias, over the last dimension.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LinearOptions {
  std::optional<int64_t> out_features = std::nullopt;  // the data's number of classes when left out
  bool bias = true;
  std::optional<std::string> classes_of = std::nullopt;
  static const Schema<LinearOptions>& schema();
};

[[nodiscard]] Choice<Layer> linear(LinearOptions options = {});

}  // namespace hearth::layers
