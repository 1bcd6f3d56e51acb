// A multi-layer perceptron: flatten, then linear and relu for each hidden size, then the scores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct MlpOptions {
  std::vector<int64_t> hidden = {128};
  std::optional<int64_t> classes = std::nullopt;  // from the data when left out
  std::optional<std::string> classes_of = std::nullopt;
  double dropout = 0;
  static const Schema<MlpOptions>& schema();
};

[[nodiscard]] Choice<Layer> mlp(MlpOptions options = {});

}  // namespace hearth::layers
