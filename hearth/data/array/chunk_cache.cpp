// Unpacked parts of arrays, the last used ones, within a limit of memory.
#include "hearth/data/array/chunk_cache.h"

namespace hearth {

ChunkCache::Bytes ChunkCache::find(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  last_used_.splice(last_used_.begin(), last_used_, found->second.place);
  return found->second.bytes;
}

void ChunkCache::keep(const Key& key, const Bytes& bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes->size() > limit_bytes_ || entries_.count(key) > 0) return;
  while (held_bytes_ + bytes->size() > limit_bytes_) {
    const auto oldest = entries_.find(last_used_.back());
    held_bytes_ -= oldest->second.bytes->size();
    entries_.erase(oldest);
    last_used_.pop_back();
  }
  last_used_.push_front(key);
  entries_[key] = {bytes, last_used_.begin()};
  held_bytes_ += bytes->size();
}

}  // namespace hearth
