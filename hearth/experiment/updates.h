// The ops of a config that make steps, for techniques that change what they step by.
#pragma once

#include <optional>
#include <string>

#include "hearth/experiment/rewrite.h"

namespace hearth {

struct ListedUpdate {
  Node* options;
  size_t index = 0;  // in the network's list
  std::string model;
  std::string loss;
};

// The only `update`, `sam` or `asam`, or the one of this model; ConfigError when there is none, or
// several and no model is named. It holds as long as the config is not changed elsewhere.
[[nodiscard]] ListedUpdate update_of(Node& config, const std::optional<std::string>& model);

}  // namespace hearth
