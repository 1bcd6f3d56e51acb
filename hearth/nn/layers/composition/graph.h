// Layers over names: branches, skips, shared weights, several inputs and outputs.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GraphOptions {
  std::vector<Choice<Layer>> nodes = {};  // each may have name, in and out: see `wired`
  std::vector<std::string> inputs = {"input"};
  std::vector<std::string> outputs = {};  // what nobody reads when left out
  static const Schema<GraphOptions>& schema();
};

[[nodiscard]] Choice<Layer> graph(GraphOptions options);

}  // namespace hearth::layers
