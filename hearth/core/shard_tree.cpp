// Which shards a rank computes.
#include "hearth/core/shard_tree.h"

#include <string>

#include "hearth/base/error.h"

namespace hearth {

ShardTree::ShardTree(int64_t shards, int64_t ranks)
    : shards_(shards), of_ranks_(static_cast<size_t>(ranks)) {
  if (ranks > shards)
    throw ConfigError("there are " + std::to_string(ranks) + " processes, but shards is " +
                      std::to_string(shards) + ": every process computes one at least. Start " +
                      std::to_string(shards) + " processes at most, or set shards to " +
                      std::to_string(ranks) + " or more in a new run.");
  share_out({0, shards}, {0, ranks});
}

// As `sum` goes down, for both.
void ShardTree::share_out(const Range& shards, const Range& ranks) {
  if (ranks.size() == 1) {
    of_ranks_[static_cast<size_t>(ranks.begin)] = shards;
    return;
  }
  share_out({shards.begin, shards.middle()}, {ranks.begin, ranks.middle()});
  share_out({shards.middle(), shards.end}, {ranks.middle(), ranks.end});
}

}  // namespace hearth
