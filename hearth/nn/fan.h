// How many values go into an output of a weight, how many outputs a value goes into, and gains, as
// PyTorch counts them.
#pragma once

#include <cmath>
#include <string>

#include <ATen/core/Tensor.h>

#include "hearth/config/schema.h"

namespace hearth {

struct Fans {
  double in = 1;
  double out = 1;
};

// Of a weight [outputs, inputs, window...]; it has at least two dimensions.
[[nodiscard]] inline Fans fans_of(at::IntArrayRef shape) {
  double window = 1;
  for (size_t i = 2; i < shape.size(); ++i) window *= static_cast<double>(shape[i]);
  return {static_cast<double>(shape[1]) * window, static_cast<double>(shape[0]) * window};
}

[[nodiscard]] inline std::string fan_misfit(at::IntArrayRef shape) {
  return shape.size() < 2 ? "it counts inputs and outputs, which a vector does not have" : "";
}

// What keeps the size of values through an activation of this name.
[[nodiscard]] inline double gain_of(const std::string& activation, double negative_slope) {
  if (activation == "relu") return std::sqrt(2.0);
  if (activation == "leaky_relu") return std::sqrt(2 / (1 + negative_slope * negative_slope));
  if (activation == "tanh") return 5.0 / 3;
  if (activation == "selu") return 0.75;
  return 1;
}

inline constexpr const char* kGainHelp = "Factor of the spread.";
inline constexpr const char* kModeHelp =
    "fan_in keeps the size of values going forward, fan_out that of gradients going back.";
inline constexpr const char* kActivationHelp = "The activation that follows, for its gain.";

[[nodiscard]] inline auto activation_names() {
  return one_of({"linear", "sigmoid", "relu", "leaky_relu", "tanh", "selu"});
}

}  // namespace hearth
