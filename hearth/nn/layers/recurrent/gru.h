// A recurrent layer with gates, the GRU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct GruOptions {
  int64_t hidden_size = 0;  // must be given
  int64_t num_layers = 1;
  bool bias = true;
  double dropout = 0;
  bool bidirectional = false;
  std::vector<std::string> output = {"sequence"};
  static const Schema<GruOptions>& schema();
};

[[nodiscard]] Choice<Layer> gru(GruOptions options);

}  // namespace hearth::layers
