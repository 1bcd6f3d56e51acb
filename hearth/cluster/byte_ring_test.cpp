// Bytes through memory, from one end to the other.
#include "hearth/cluster/byte_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hearth {
namespace {

constexpr size_t kRoom = 100;

struct RingMemory {
  alignas(64) std::byte bytes[sizeof(ByteRing::Ends) + kRoom] = {};
  ByteRing ring{bytes, sizeof(bytes)};
  [[nodiscard]] const std::byte* values() const { return bytes + sizeof(ByteRing::Ends); }
};

std::vector<std::byte> counted(size_t count, int first) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return bytes;
}

TEST(ByteRing, TakesWhatThereIsRoomForAndGivesItInOrder) {
  RingMemory memory;
  const std::vector<std::byte> all = counted(250, 1);
  std::vector<std::byte> out(250);
  size_t put = 0;
  size_t taken = 0;
  while (taken < all.size()) {
    put += memory.ring.put(all.data() + put, all.size() - put);
    EXPECT_LE(put - taken, kRoom);
    const size_t count = std::min<size_t>(30, all.size() - taken);
    taken += memory.ring.take(out.data() + taken, count);
  }
  EXPECT_EQ(out, all);
  EXPECT_EQ(memory.ring.there(), 0U);
  EXPECT_EQ(memory.ring.room(), kRoom);
}

TEST(ByteRing, KeepsWhatIsLittleInLittleMemory) {
  RingMemory memory;
  std::vector<std::byte> out(20);
  for (int round = 0; round < 30; ++round) {
    const std::vector<std::byte> some = counted(20, round + 1);
    EXPECT_EQ(memory.ring.put(some.data(), some.size()), some.size());
    EXPECT_EQ(memory.ring.take(out.data(), out.size()), some.size());
    EXPECT_EQ(out, some);
  }
  EXPECT_TRUE(std::all_of(memory.values() + 20, memory.values() + kRoom,
                          [](std::byte value) { return value == std::byte{0}; }));
}

TEST(ByteRing, TellsOnceThatRoomIsAwaited) {
  RingMemory memory;
  EXPECT_FALSE(memory.ring.is_room_awaited());
  memory.ring.ask_for_room();
  EXPECT_TRUE(memory.ring.is_room_awaited());
  EXPECT_FALSE(memory.ring.is_room_awaited());
}

}  // namespace
}  // namespace hearth
