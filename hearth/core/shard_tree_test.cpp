// The tree of shards: every rank has one node of it, and sums do not depend on the ranks.
#include "hearth/core/shard_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr int64_t kMost = 16;

std::string added_text(const std::string& left, const std::string& right) {
  return "(" + left + "+" + right + ")";
}

std::string leaf_text(int64_t shard) { return std::to_string(shard); }

std::string sum_text(const ShardTree& tree) {
  return tree.sum_of_ranks(
      [&](int64_t rank) { return ShardTree::sum(tree.of_rank(rank), leaf_text, added_text); },
      added_text);
}

// Values whose sum depends on the order of additions.
float value_of(int64_t shard) {
  const float values[] = {1e8F, 3.3F, -1e8F, 0.7F, 1e-3F, 77.7F, -5e7F, 12.34F};
  return values[shard % 8] * static_cast<float>(shard + 1);
}

float sum_of_values(const ShardTree& tree) {
  const auto add = [](float left, float right) { return left + right; };
  return tree.sum_of_ranks(
      [&](int64_t rank) { return ShardTree::sum(tree.of_rank(rank), value_of, add); }, add);
}

TEST(ShardTree, AddsHalves) {
  EXPECT_EQ(sum_text(ShardTree(1)), "0");
  EXPECT_EQ(sum_text(ShardTree(3)), "((0+1)+2)");
  EXPECT_EQ(sum_text(ShardTree(4)), "((0+1)+(2+3))");
  EXPECT_EQ(sum_text(ShardTree(5)), "(((0+1)+2)+(3+4))");
}

TEST(ShardTree, AddsInTheSameOrderForAnyNumberOfRanks) {
  for (int64_t shards = 1; shards <= kMost; ++shards)
    for (int64_t ranks = 1; ranks <= shards; ++ranks) {
      EXPECT_EQ(sum_text(ShardTree(shards, ranks)), sum_text(ShardTree(shards)))
          << shards << " shards, " << ranks << " ranks";
      EXPECT_EQ(sum_of_values(ShardTree(shards, ranks)), sum_of_values(ShardTree(shards)));
    }
}

TEST(ShardTree, SharesAllShardsOutInOrder) {
  for (int64_t shards = 1; shards <= kMost; ++shards)
    for (int64_t ranks = 1; ranks <= shards; ++ranks) {
      const ShardTree tree(shards, ranks);
      int64_t next = 0;
      for (int64_t rank = 0; rank < ranks; ++rank) {
        EXPECT_EQ(tree.of_rank(rank).begin, next);
        EXPECT_GE(tree.of_rank(rank).size(), 1);
        next = tree.of_rank(rank).end;
      }
      EXPECT_EQ(next, shards);
    }
}

TEST(ShardTree, HasTheCureForTooManyRanks) {
  try {
    (void)ShardTree(2, 3);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("there are 3 processes, but shards is 2"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("Start 2 processes at most"));
  }
}

}  // namespace
}  // namespace hearth
