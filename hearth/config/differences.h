// What of a config is not as it was.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

// "models.net.optimizer.adamw.lr: 0.003 then, 0.1 now", one a difference.
[[nodiscard]] std::vector<std::string> config_differences(const Node& before, const Node& now);

}  // namespace hearth
