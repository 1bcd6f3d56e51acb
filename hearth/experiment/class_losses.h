// The losses of classifiers in a config's network.
#pragma once

#include <optional>
#include <string>

#include "hearth/experiment/rewrite.h"

namespace hearth {

// The cross_entropy that writes the key `loss`, or the only one there is; ConfigError says which
// there are when that names none.
[[nodiscard]] ListedComponent class_loss_of(Node& config, const std::optional<std::string>& loss);

}  // namespace hearth
