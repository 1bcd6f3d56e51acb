// Where a model adds to a value what some layers made of it: for first values that begin with
// branches which add little.
#pragma once

#include <vector>

#include "hearth/nn/layer.h"

namespace hearth {

// The layers of one branch, from its beginning to the addition; those of the way around, which may
// have layers too, are not among them.
using AddedBranch = std::vector<Layer*>;

// Of the model and of all layers below it, as far as they are described.
[[nodiscard]] std::vector<AddedBranch> added_branches(Layer& model);

// Those below the layer, and itself, that are not made of others, in the order they run as far as
// that is described.
[[nodiscard]] std::vector<Layer*> leaves_of(Layer& layer);

}  // namespace hearth
