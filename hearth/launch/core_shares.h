// The cores of a host, shared out among its ranks.
#pragma once

#include <vector>

namespace hearth {

// The cores of each rank: neighbours together, as evenly as it goes; with more ranks than cores
// they take turns.
[[nodiscard]] std::vector<std::vector<int>> core_shares(const std::vector<int>& cores, int ranks);

}  // namespace hearth
