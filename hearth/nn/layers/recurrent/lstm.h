// A recurrent layer with gates and a memory, the LSTM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct LstmOptions {
  int64_t hidden_size = 0;  // must be given
  int64_t num_layers = 1;
  bool bias = true;
  double dropout = 0;
  bool bidirectional = false;
  std::vector<std::string> output = {"sequence"};
  static const Schema<LstmOptions>& schema();
};

[[nodiscard]] Choice<Layer> lstm(LstmOptions options);

}  // namespace hearth::layers
