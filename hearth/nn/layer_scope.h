// Options of layers that a scope around them gives: `defaults` of a model or of a layer in it.
#pragma once

#include "hearth/config/scoped_options.h"
#include "hearth/nn/layer.h"

namespace hearth {

// The layer with what the scopes in force add.
[[nodiscard]] Choice<Layer> scoped(const Choice<Layer>& layer, const BuildContext& context);
// GraphError at a default whose layer is nowhere below `owner`.
void require_met(const OptionScope& scope, const Layer& owner);
// ConfigError at an `activation` of a layer that no description holds.
void refuse_activation(const Choice<Layer>& layer);

}  // namespace hearth
