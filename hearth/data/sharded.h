// Sources whose samples lie in several files or shards, for orders that read from some at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace hearth {

// What such a source is besides a Source.
class Sharded {
 public:
  virtual ~Sharded() = default;
  // The sample after the last one of each, in their order. Asked once it is open.
  [[nodiscard]] virtual std::vector<int64_t> shard_ends() const = 0;
};

}  // namespace hearth
