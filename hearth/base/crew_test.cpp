// A crew: every member once a piece, errors of the first that failed, any number of pieces.
#include "hearth/base/crew.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

namespace hearth {
namespace {

TEST(Crew, CallsEveryMemberOnceInAThreadOfItsOwn) {
  Crew crew(4);
  std::vector<std::thread::id> threads(4);
  crew.run(4,
           [&](int member) { threads[static_cast<size_t>(member)] = std::this_thread::get_id(); });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  for (size_t i = 0; i < 4; ++i)
    for (size_t k = i + 1; k < 4; ++k) EXPECT_NE(threads[i], threads[k]);
}

TEST(Crew, KeepsItsThreadsFromPieceToPieceAndLeavesOutWhoIsNotWanted) {
  Crew crew(3);
  std::vector<int> calls(3);
  for (int piece = 0; piece < 3000; ++piece)
    crew.run(1 + piece % 3, [&](int member) { ++calls[static_cast<size_t>(member)]; });
  EXPECT_EQ(calls, (std::vector<int>{3000, 2000, 1000}));
}

TEST(Crew, WakesMembersWhoFellAsleep) {
  Crew crew(2);
  int calls = 0;
  for (int piece = 0; piece < 3; ++piece) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    crew.run(2, [&](int member) {
      if (member == 1) ++calls;
    });
  }
  EXPECT_EQ(calls, 3);
}

TEST(Crew, WaitsForAllAndThrowsWhatTheFirstThatFailedThrew) {
  Crew crew(3);
  bool is_done = false;
  const auto work = [&](int member) {
    if (member == 0) is_done = true;
    if (member > 0) throw std::runtime_error("member " + std::to_string(member));
  };
  try {
    crew.run(3, work);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "member 1");
  }
  EXPECT_TRUE(is_done);
  crew.run(3, [](int) {});
}

TEST(Crew, BeginsEveryThreadBeforeItsFirstWork) {
  static thread_local int begun = 0;
  Crew crew(2, [] { begun = 7; });
  int seen = 0;
  crew.run(2, [&](int member) {
    if (member == 1) seen = begun;
  });
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(begun, 0);
}

}  // namespace
}  // namespace hearth
