// What is read from signs of life.
#include "hearth/launch/signs.h"

#include <gmock/gmock.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Seen seen(double silent, RankState state = RankState::kWorks, int64_t operations = 5,
          const std::string& doing = "step 12, forward") {
  Seen one;
  one.sign = {3, operations, 0, state, false, "node2, process 4711", doing, ""};
  one.silent = silent;
  return one;
}

TEST(Signs, NameTheSilentRankAndWhatItDid) {
  EXPECT_EQ("", fault_in({seen(0), seen(1)}, milliseconds(6000)));
  EXPECT_THAT(fault_in({seen(0), seen(7)}, milliseconds(6000)),
              AllOf(HasSubstr("rank 1 (node2, process 4711)"), HasSubstr("7.0s"),
                    HasSubstr("it was doing: step 12, forward"), Not(HasSubstr("rank 0"))));
}

TEST(Signs, NameASilentRankSoonerWhenAConnectionBroke) {
  std::vector<Seen> ranks = {seen(0), seen(4)};
  EXPECT_EQ("", fault_in(ranks, milliseconds(6000)));
  ranks[0].sign.is_cut = true;
  EXPECT_THAT(fault_in(ranks, milliseconds(6000)), HasSubstr("rank 1"));
}

TEST(Signs, SayWhoseErrorItWasBeforeWhoGaveUp) {
  const std::string fault = fault_in({seen(0, RankState::kGaveUp, 5, "because of others"), seen(9),
                                      seen(0, RankState::kFailed, 5, "No space is left.")},
                                     milliseconds(6000));
  EXPECT_EQ("rank 2 (node2, process 4711) ended: No space is left.", fault);
}

TEST(Signs, LetRanksLeave) {
  EXPECT_EQ("", fault_in({seen(0), seen(99, RankState::kLeft)}, milliseconds(6000)));
}

TEST(Signs, TellWhoKeepsTheOthersWaiting) {
  const std::vector<Seen> ranks = {seen(0), seen(0, RankState::kWorks, 4), seen(0)};
  EXPECT_EQ("rank 1 (node2, process 4711), doing: step 12, forward", late_ranks(ranks, 0));
}

TEST(Signs, TellWhoMayKeepTheOthersWaitingWhenNobodyIsBehind) {
  std::vector<Seen> ranks = {seen(0), seen(0), seen(0)};
  ranks[0].sign.waiting = ranks[1].sign.waiting = 11;
  EXPECT_EQ("rank 2 (node2, process 4711), doing: step 12, forward", late_ranks(ranks, 0));
  ranks[2].sign.waiting = 11;
  EXPECT_THAT(late_ranks(ranks, 0), AllOf(HasSubstr("rank 1 ("), HasSubstr("; rank 2 (")));
}

TEST(Signs, AreReadAsTheyWereWritten) {
  Board board{7, "a fault", {seen(1.5), seen(0, RankState::kFailed)}};
  EXPECT_EQ(to_text(board), to_text(read_board(to_text(board))));
  for (const char* text : {"", "{}", "[]", R"({"count": "x"})", "{\"count\": 1"}) {
    EXPECT_THROW((void)read_board(text), DataError) << text;
    EXPECT_THROW((void)read_sign(text), DataError) << text;
  }
}

}  // namespace
}  // namespace hearth
