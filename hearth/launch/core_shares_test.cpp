// Cores shared out among ranks.
#include "hearth/launch/core_shares.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

using Shares = std::vector<std::vector<int>>;

TEST(CoreShares, AreEvenAndOfNeighbours) {
  EXPECT_EQ((Shares{{0, 1}, {2, 3}}), core_shares({0, 1, 2, 3}, 2));
  EXPECT_EQ((Shares{{4}, {5, 6}}), core_shares({4, 5, 6}, 2));
  EXPECT_EQ((Shares{{}, {}}), core_shares({}, 2));
}

TEST(CoreShares, TakeTurnsWhereRanksAreMore) {
  const Shares shares = core_shares({0, 1}, 4);
  std::vector<int> uses(2);
  for (const std::vector<int>& share : shares) {
    ASSERT_EQ(1U, share.size());
    ++uses[static_cast<size_t>(share[0])];
  }
  EXPECT_EQ((std::vector<int>{2, 2}), uses);
}

}  // namespace
}  // namespace hearth
