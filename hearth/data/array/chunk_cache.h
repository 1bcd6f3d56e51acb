// Unpacked parts of arrays, the last used ones, within a limit of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hearth {

class ChunkCache {
 public:
  using Bytes = std::shared_ptr<const std::vector<std::byte>>;
  using Key = std::pair<const void*, uint64_t>;  // the array and the part's number

  explicit ChunkCache(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // What is kept for the key, or what `make` gives. Two threads may make the same part at once.
  template <class Make>
  Bytes get(const Key& key, const Make& make) {
    if (Bytes found = find(key)) return found;
    auto made = std::make_shared<const std::vector<std::byte>>(make());
    keep(key, made);
    return made;
  }

 private:
  struct Entry {
    Bytes bytes;
    std::list<Key>::iterator place;  // among the last used
  };
  [[nodiscard]] Bytes find(const Key& key);
  void keep(const Key& key, const Bytes& bytes);

  std::mutex mutex_;
  uint64_t limit_bytes_ = 0;
  uint64_t held_bytes_ = 0;
  std::list<Key> last_used_;  // the latest first
  std::map<Key, Entry> entries_;
};

}  // namespace hearth
