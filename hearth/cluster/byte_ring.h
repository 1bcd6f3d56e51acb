// Bytes from one process to another through memory that both share: one writes, one reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hearth {

class ByteRing {
 public:
  // At the beginning of its memory, which begins as zeros; each on a line of its own.
  struct Ends {
    alignas(64) std::atomic<uint64_t> written = 0;
    std::atomic<uint64_t> base = 0;  // what was written when it was last empty
    alignas(64) std::atomic<uint64_t> read = 0;
    alignas(64) std::atomic<uint32_t> wants_room = 0;
  };
  // `bytes` of memory hold the ends and what is on its way.
  ByteRing(std::byte* memory, size_t bytes)
      : ends_(reinterpret_cast<Ends*>(memory)),
        values_(memory + sizeof(Ends)),
        capacity_(bytes - sizeof(Ends)) {}

  // Both ways bytes go in pieces, of which one side copies one while the other copies the next.
  // Of the writer. As many bytes as there is room for now, up to a piece; says how many.
  [[nodiscard]] size_t room() const;
  size_t put(const std::byte* bytes, size_t count);
  // The reader will find that somebody waits for room. Look once more after it.
  void ask_for_room();

  // Of the reader. As many as are there, up to `count` and a piece; says how many.
  [[nodiscard]] size_t there() const;
  size_t take(std::byte* bytes, size_t count);
  // After taking some: whether somebody waits for that; says so once.
  [[nodiscard]] bool is_room_awaited();

 private:
  [[nodiscard]] size_t place_of(uint64_t position) const;

  Ends* ends_;
  std::byte* values_;
  size_t capacity_;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace hearth
