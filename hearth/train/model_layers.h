// Layers of an experiment's models, by path or pattern.
#pragma once

#include <string>
#include <vector>

#include "hearth/network/model.h"

namespace hearth {

// Of all models that are built; with several, the model's name may stand first.
[[nodiscard]] std::vector<Layer*> layers_matching(const ModelSet& models,
                                                  const std::string& pattern);
// GraphError when `who` names a layer that none is, with the nearest path. Not while some model is
// not built: it may have it.
void require_layers(const std::string& who, const std::vector<std::string>& patterns,
                    const ModelSet& models);

}  // namespace hearth
