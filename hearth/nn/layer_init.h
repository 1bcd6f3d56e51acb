// First values that a config chooses: `init` of a layer, by patterns of the parameters below it.
#pragma once

#include "hearth/nn/build_context.h"
#include "hearth/nn/layer.h"

namespace hearth {

// Fills the parameters that `init` of the model, or of a layer in it, names: outer layers first,
// and in the order of each, so that the last one that matches counts. A pattern of a layer's path
// means all parameters below it that the initializer fits. GraphError at one that fills nothing.
void apply_initializers(Layer& model, const BuildContext& context);

}  // namespace hearth
