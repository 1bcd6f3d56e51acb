// Whether a layer can compute with what edits made of the layers it holds.
#pragma once

#include <span>

#include "hearth/nn/layer.h"

namespace hearth {

// Of a layer that was just built with a `forward` of its own. Who describes itself is checked along
// every edge; of a layer that calls its children by itself only a call can tell. One that holds a
// layer which an edit has changed computes one sample of zeros; GraphError at the edit when it
// cannot, or gives something else than it says.
void require_fitting_children(Layer& layer, std::span<const Spec> inputs,
                              std::span<const Spec> outputs, at::Device device);

}  // namespace hearth
