// Messages through shared memory, between two ends in this process.
#include "hearth/cluster/host_wire.h"

#include <gmock/gmock.h>

#include <numeric>
#include <thread>

namespace hearth {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

Bytes bytes_of(size_t count, int first) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<uint8_t>(first));
  return bytes;
}

// The ranks 3 and 5 of a run.
struct Ends {
  std::unique_ptr<HostWire> three;
  std::unique_ptr<HostWire> five;
};

Ends make_ends() {
  auto made = SharedBlock::make(HostWire::bytes_for(2));
  auto opened = SharedBlock::open(made->address());
  EXPECT_TRUE(made->take_place(0) && opened->take_place(1));
  return {std::make_unique<HostWire>(std::move(made), std::vector{3, 5}, 3),
          std::make_unique<HostWire>(std::move(opened), std::vector{3, 5}, 5)};
}

const auto kNothing = [] {};

TEST(HostWire, ReachesTheOthersOfItsHostAlone) {
  const Ends ends = make_ends();
  EXPECT_TRUE(ends.three->reaches(5));
  EXPECT_FALSE(ends.three->reaches(3));
  EXPECT_FALSE(ends.three->reaches(4));
}

TEST(HostWire, BringsMessagesToWhoAsksForTheirTagInAnyOrder) {
  const Ends ends = make_ends();
  const Bytes one = bytes_of(1000, 1);
  const Bytes two = bytes_of(77, 2);
  HostWire::Errand sent;
  ends.three->send(sent, 5, 1, one.data(), one.size());
  ends.three->send(sent, 5, 2, two.data(), two.size());
  ends.three->wait(sent, kNothing);
  Bytes second(two.size());
  HostWire::Errand of_second;
  ends.five->receive(of_second, 3, 2, second.data(), second.size());
  ends.five->wait(of_second, kNothing);
  Bytes first(one.size());
  HostWire::Errand of_first;
  ends.five->receive(of_first, 3, 1, first.data(), first.size());
  ends.five->wait(of_first, kNothing);
  EXPECT_EQ(first, one);
  EXPECT_EQ(second, two);
}

// Much more than the memory holds at once, both ways at once.
TEST(HostWire, BringsWhatIsLargerThanItsMemory) {
  const Ends ends = make_ends();
  const size_t count = 3 * HostWire::bytes_for(2) + 5;
  const auto swap = [&](HostWire& wire, int other, int own) {
    const Bytes sent = bytes_of(count, own);
    Bytes received(count);
    HostWire::Errand errand;
    wire.send(errand, other, 7, sent.data(), count);
    wire.receive(errand, other, 7, received.data(), count);
    wire.wait(errand, kNothing);
    EXPECT_EQ(received, bytes_of(count, other));
  };
  std::jthread three([&] { swap(*ends.three, 5, 3); });
  swap(*ends.five, 3, 5);
}

// Two threads of a process that wait for different messages: whoever moves bytes moves all.
TEST(HostWire, ServesSeveralWhoWait) {
  const Ends ends = make_ends();
  constexpr int kRounds = 2000;
  const auto swap = [&](HostWire& wire, int other, int lane) {
    for (int round = 0; round < kRounds; ++round) {
      const Bytes sent = bytes_of(100, lane + round);
      Bytes received(100);
      HostWire::Errand errand;
      wire.receive(errand, other, 2 * round + lane, received.data(), received.size());
      wire.send(errand, other, 2 * round + lane, sent.data(), sent.size());
      wire.wait(errand, kNothing);
      ASSERT_EQ(received, sent);
    }
  };
  std::vector<std::jthread> threads;
  for (const int lane : {0, 1}) {
    threads.emplace_back([&, lane] { swap(*ends.three, 5, lane); });
    threads.emplace_back([&, lane] { swap(*ends.five, 3, lane); });
  }
}

TEST(HostWire, SaysWhoHasEndedAfterWhatItSent) {
  Ends ends = make_ends();
  const Bytes last = bytes_of(10, 4);
  HostWire::Errand sent;
  ends.five->send(sent, 3, 1, last.data(), last.size());
  ends.five.reset();
  Bytes received(10);
  HostWire::Errand errand;
  ends.three->receive(errand, 5, 1, received.data(), received.size());
  ends.three->wait(errand, kNothing);
  EXPECT_EQ(received, last);
  ends.three->receive(errand, 5, 2, received.data(), received.size());
  try {
    ends.three->wait(errand, kNothing);
    FAIL() << "a message from nobody";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 5 has ended"));
  }
}

TEST(HostWire, StopsWaitingWhenWhoLooksSaysSo) {
  const Ends ends = make_ends();
  Bytes received(10);
  HostWire::Errand errand;
  ends.three->receive(errand, 5, 1, received.data(), received.size());
  const auto look = [] { throw std::runtime_error("enough"); };
  EXPECT_THROW(ends.three->wait(errand, look), std::runtime_error);
  ends.three->drop(errand);
}

TEST(SharedBlock, OpensNothingButWhatWasMade) {
  const auto made = SharedBlock::make(4096);
  std::string other = made->address();
  other.back() = other.back() == 'a' ? 'b' : 'a';
  EXPECT_EQ(SharedBlock::open(other), nullptr);
  EXPECT_EQ(SharedBlock::open("no"), nullptr);
  EXPECT_EQ(SharedBlock::open("/proc/self/exe 4096 abcdefghijklmnop"), nullptr);
  EXPECT_NE(SharedBlock::open(made->address()), nullptr);
}

}  // namespace
}  // namespace hearth
