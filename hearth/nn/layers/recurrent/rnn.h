// A simple recurrent layer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

struct RnnOptions {
  int64_t hidden_size = 0;  // must be given
  int64_t num_layers = 1;
  std::string nonlinearity = "tanh";
  bool bias = true;
  double dropout = 0;
  bool bidirectional = false;
  std::vector<std::string> output = {"sequence"};
  static const Schema<RnnOptions>& schema();
};

[[nodiscard]] Choice<Layer> rnn(RnnOptions options);

}  // namespace hearth::layers
