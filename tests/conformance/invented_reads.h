// For tests: numbers for who waits for a device that has none.
#pragma once

#include <cstdint>

namespace hearth {

// A search goes by losses and slopes, which it waits for; on LibTorch's `meta` device there are
// none. While this lives, whatever is read there in this thread is the next of a fixed sequence of
// numbers of both signs, so that a search takes its ways one after the other; otherwise reading
// fails.
class InventedReads {
 public:
  InventedReads();
  ~InventedReads();
  InventedReads(const InventedReads&) = delete;
  InventedReads& operator=(const InventedReads&) = delete;

  // How many numbers were read.
  [[nodiscard]] static int64_t count();
};

}  // namespace hearth
