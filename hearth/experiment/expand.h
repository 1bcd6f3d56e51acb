// The shorthand (`model`, `loss`, `optimizer`) written out as `models` and `network`.
#pragma once

#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"
#include "hearth/config/validate.h"

namespace hearth {

// Conflicts and gaps: both forms at once, a model without a loss, no training data.
[[nodiscard]] std::vector<Fault> check_form(const Node& config);

// A config in full form comes back as it is. Made-up nodes carry the mark of what they stand for.
[[nodiscard]] Node expand(const Node& config);

// The config without `model`, `loss`, `optimizer`, `average`, `input` and `target`.
[[nodiscard]] Node without_shorthand(Node config);

}  // namespace hearth
