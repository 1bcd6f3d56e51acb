// First values that a config chooses: `init` of a layer, by patterns of the parameters below it;
// and those that an architecture gives its layers in the place of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/nn/build_context.h"
#include "hearth/nn/layer.h"

namespace hearth {

// By patterns as in `init`: {{"weight", initializers::kaiming_normal()}, ...}.
using FirstValues = std::vector<std::pair<std::string, Choice<Initializer>>>;
// The layer with other first values than its own; any `init` of the config replaces them.
[[nodiscard]] Choice<Layer> starting_with(const Choice<Layer>& layer, const FirstValues& values);

// Fills the parameters that an architecture chose values for, and then those that `init` of the
// model, or of a layer in it, names: outer layers first, and in the order of each, so that the last
// one that matches counts. A pattern of a layer's path means all parameters below it that the
// initializer fits. GraphError at one that fills nothing.
void apply_initializers(Layer& model, const BuildContext& context);

}  // namespace hearth
