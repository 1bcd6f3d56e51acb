// Bytes from one process to another.
#include "hearth/cluster/byte_ring.h"

#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

constexpr size_t kPiece = size_t{128} << 10;

}  // namespace

// An empty ring is begun anew: little that comes and goes stays in little memory, which caches
// hold. The writer moves the base only when all is read, and the reader sees it with what is
// written next.
size_t ByteRing::place_of(uint64_t position) const {
  return (position - ends_->base.load(std::memory_order_relaxed)) % capacity_;
}

size_t ByteRing::room() const {
  return capacity_ - (ends_->written.load(std::memory_order_relaxed) - ends_->read.load());
}

size_t ByteRing::put(const std::byte* bytes, size_t count) {
  count = std::min({count, room(), kPiece});
  const uint64_t written = ends_->written.load(std::memory_order_relaxed);
  if (room() == capacity_) ends_->base.store(written, std::memory_order_relaxed);
  const size_t begin = place_of(written);
  const size_t first = std::min(count, capacity_ - begin);
  std::memcpy(values_ + begin, bytes, first);
  std::memcpy(values_, bytes + first, count - first);
  ends_->written.store(written + count, std::memory_order_release);
  return count;
}

// One side writes this and then looks at `read`, the other writes that and then looks at this, in
// one order of all: one of them sees the other.
void ByteRing::ask_for_room() { ends_->wants_room.store(1); }

size_t ByteRing::there() const {
  return ends_->written.load(std::memory_order_acquire) -
         ends_->read.load(std::memory_order_relaxed);
}

size_t ByteRing::take(std::byte* bytes, size_t count) {
  count = std::min({count, there(), kPiece});
  const uint64_t read = ends_->read.load(std::memory_order_relaxed);
  if (count == 0) return 0;
  const size_t begin = place_of(read);
  const size_t first = std::min(count, capacity_ - begin);
  std::memcpy(bytes, values_ + begin, first);
  std::memcpy(bytes + first, values_, count - first);
  ends_->read.store(read + count);
  return count;
}

bool ByteRing::is_room_awaited() {
  return ends_->wants_room.load() != 0 && ends_->wants_room.exchange(0) != 0;
}

}  // namespace hearth
