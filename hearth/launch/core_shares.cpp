// The cores of a host, shared out among its ranks.
#include "hearth/launch/core_shares.h"

#include <cstddef>

namespace hearth {

std::vector<std::vector<int>> core_shares(const std::vector<int>& cores, int ranks) {
  std::vector<std::vector<int>> shares(static_cast<size_t>(ranks));
  const size_t count = shares.size();
  if (cores.empty()) return shares;
  for (size_t rank = 0; rank < count; ++rank) {
    if (count > cores.size()) {
      shares[rank].push_back(cores[rank % cores.size()]);
      continue;
    }
    const size_t first = rank * cores.size() / count;
    const size_t last = (rank + 1) * cores.size() / count;
    for (size_t core = first; core < last; ++core) shares[rank].push_back(cores[core]);
  }
  return shares;
}

}  // namespace hearth
