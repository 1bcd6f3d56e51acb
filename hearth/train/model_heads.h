// Which layers make what a model gives.
#pragma once

#include <set>
#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

// The last layers with parameters before each of the model's outputs, by their paths with a dot
// behind: {"aux1.fc2.", "fc."}. A layer that is not described has its last child for that.
[[nodiscard]] std::set<std::string> model_heads(const Layer& model);

}  // namespace hearth
