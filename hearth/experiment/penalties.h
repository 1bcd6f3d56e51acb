// Prices on weights in a config: `weight_penalty` before a model's update, and its line in the log.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

// A penalty that is put into a config.
struct NewPenalty {
  std::string name;                                   // of its key, in the log too
  std::optional<std::string> model = {};              // the only one that is moved when left out
  std::vector<std::pair<std::string, Node>> options;  // of the weight_penalty
};
// Puts it before the model's update, which then goes down the loss with it, and logs it.
void add_penalty(Node& config, const NewPenalty& penalty);

// For every model with a layer that says `regularize`: a penalty of what its layers say, unless the
// config has it already.
[[nodiscard]] Node with_layer_penalties(Node config);

}  // namespace hearth
