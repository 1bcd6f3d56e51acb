// The shorthand (`model`, `loss`, `optimizer`) and techniques, written out.
#pragma once

#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"
#include "hearth/config/validate.h"

namespace hearth {

// Conflicts and gaps: both forms at once, a model without a loss, no training data.
[[nodiscard]] std::vector<Fault> check_form(const Node& config);

// The config after `supervised`, should it be in shorthand, and after its techniques, in order. A
// full form without any comes back as it is. Made-up nodes carry the mark of what they stand for.
// ConfigError, at the technique's line, when one does not apply.
[[nodiscard]] Node expand(const Node& config);

// The config without `model`, `loss`, `optimizer`, `average`, `input` and `target`.
[[nodiscard]] Node without_shorthand(Node config);

}  // namespace hearth
