// A network up to some of its layers: what detectors and others build on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/nn/build_context.h"
#include "hearth/nn/description.h"

namespace hearth {

// The network as far as the layers of these names, whose outputs come out, without what only later
// ones need: `{resnet: {depth: 50}}` as far as layer2, layer3 and layer4. Without names, as it is.
// For networks that describe themselves; GraphError with the nearest name when there is no such
// layer.
[[nodiscard]] Choice<Layer> backbone(const Choice<Layer>& network,
                                     const std::vector<std::string>& levels,
                                     std::span<const Spec> inputs, const BuildContext& context);

}  // namespace hearth
