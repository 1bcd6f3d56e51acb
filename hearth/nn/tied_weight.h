// A weight that two layers share: the table of an embedding with which a head scores.
#pragma once

#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

// The weight of `table`, which lies at `name` below the layer; GraphError when it has none of this
// shape, as after an edit.
[[nodiscard]] at::Tensor tied_weight(const BuildContext& context, const std::string& layer,
                                     const std::string& name, const Layer& table,
                                     at::IntArrayRef shape);

}  // namespace hearth
