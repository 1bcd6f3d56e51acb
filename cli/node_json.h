// A config value as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hearth/config/node.h"

namespace hearth::cli {

// Plain scalars that read as a JSON number, true, false or null become one; all others are text.
[[nodiscard]] nlohmann::ordered_json json_from(const Node& node);

}  // namespace hearth::cli
