// The shorthand (`model`, `loss`, `optimizer`) and techniques, written out.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"
#include "hearth/config/validate.h"

namespace hearth {

// What is asked of a config: all that a training needs, or its data, when it may have no network.
enum class ConfigScope : uint8_t { kWhole, kData };
// Conflicts and gaps: both forms at once, a model without a loss, no training data.
[[nodiscard]] std::vector<Fault> check_form(const Node& config,
                                            ConfigScope scope = ConfigScope::kWhole);

// The config after `supervised`, should it be in shorthand, and after its techniques, in order. A
// full form without any comes back as it is. Made-up nodes carry the mark of what they stand for.
// ConfigError, at the technique's line, when one does not apply.
[[nodiscard]] Node expand(const Node& config);

// The config without `model`, `loss`, `optimizer`, `average`, `input` and `target`.
[[nodiscard]] Node without_shorthand(Node config);

}  // namespace hearth
