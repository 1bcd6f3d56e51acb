// How much each process had part in steps that are made of what came first.
#include "hearth/train/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hearth {
namespace {

GatheredStep step_of(std::vector<int64_t> ranks, std::vector<int64_t> late) {
  GatheredStep step;
  step.ranks = std::move(ranks);
  step.late = std::move(late);
  return step;
}

TEST(LeftOut, NamesWhoHadNoPartAndWhatWasDropped) {
  LeftOut counts;
  counts.add(step_of({0, 1}, {0, 0, 0}), 3);
  counts.add(step_of({0, 1}, {0, 0, 1}), 3);
  EXPECT_THAT(counts.missed(), testing::ElementsAre(0, 0, 2));
  EXPECT_EQ(counts.missed_by_all(), 2);
  EXPECT_EQ(counts.text(),
            "rank 2 had no part in 2 of 2 steps (too late and dropped: 1, not computed: 1)");
}

TEST(LeftOut, GoesOnAfterAResume) {
  LeftOut before;
  before.add(step_of({0}, {0, 1}), 2);
  LeftOut after;
  after.restore(before.state());
  after.add(step_of({0}, {0, 0}), 2);
  EXPECT_THAT(after.dropped(), testing::ElementsAre(0, 1));
  after.set_late_at_end({0, 1});
  EXPECT_THAT(after.text(),
              testing::HasSubstr("rank 1 had no part in 2 of 2 steps (too late and dropped: 2"));
  EXPECT_EQ(after.state().at("dropped").at(1), 1);
  EXPECT_EQ(after.summary().at("dropped").at(1), 2);
}

TEST(LeftOut, SaysSoWhereAllHadPart) {
  LeftOut counts;
  counts.add(step_of({1, 0}, {0, 0}), 2);
  EXPECT_EQ(counts.text(), "every process had part in all 1 steps");
}

}  // namespace
}  // namespace hearth
