// Parameters shared out among processes.
#include "hearth/optim/parameter_shares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "hearth/kernels/update/multi_tensor.h"

namespace hearth {
namespace {

std::vector<SharedParameter> parameters_of(const std::vector<int64_t>& sizes, bool can_be_cut) {
  std::vector<SharedParameter> all;
  for (const int64_t size : sizes)
    all.push_back({"p" + std::to_string(all.size()), size, 8, can_be_cut});
  return all;
}

int64_t bytes_of_all(const std::vector<SharedParameter>& parameters) {
  return std::accumulate(parameters.begin(), parameters.end(), int64_t{0},
                         [](int64_t sum, const SharedParameter& one) {
                           return sum + one.values * one.bytes_of_value;
                         });
}

// Every value has one owner, and cuts lie where sums over gradients have theirs.
void expect_complete(const std::vector<SharedParameter>& parameters, int ranks) {
  const std::vector<RangesOfRanks> all = share_out(parameters, ranks);
  for (size_t i = 0; i < parameters.size(); ++i) {
    int64_t end = 0;
    for (const ValueRange& range : all[i]) {
      if (range.size() == 0) continue;
      EXPECT_EQ(range.begin, end);
      EXPECT_EQ(range.begin % kUpdateChunk, 0);
      end = range.end;
    }
    EXPECT_EQ(end, parameters[i].values) << parameters[i].name;
  }
}

TEST(ParameterShares, EveryValueHasOneOwner) {
  const std::vector<int64_t> sizes = {784 * 512, 512, 512 * 512, 512, 5120, 10, 1, 0, 2048, 2049};
  for (const bool can_be_cut : {false, true})
    for (const int ranks : {1, 2, 3, 4, 7})
      expect_complete(parameters_of(sizes, can_be_cut), ranks);
}

TEST(ParameterShares, AParameterLargerThanAShareIsCut) {
  const auto parameters = parameters_of({1'000'000, 1000, 1000, 10}, true);
  const std::vector<RangesOfRanks> all = share_out(parameters, 4);
  for (const ValueRange& range : all[0]) EXPECT_GT(range.size(), 0);
  EXPECT_LE(largest_share(parameters, 4) * 4 * 100, bytes_of_all(parameters) * 105);
}

TEST(ParameterShares, WhatCannotBeCutGoesWholeToWhoHasLeast) {
  const auto parameters = parameters_of({700, 600, 500, 400, 300, 200}, false);
  const std::vector<RangesOfRanks> all = share_out(parameters, 3);
  EXPECT_EQ(all[0][0], (ValueRange{0, 700}));
  EXPECT_EQ(all[3][2], (ValueRange{0, 400}));
  EXPECT_EQ(largest_share(parameters, 3), 900 * 8);
}

TEST(ParameterShares, WhatCanBeCutFillsUpWhatOthersLeave) {
  auto parameters = parameters_of({500'000, 400'000, 100'000, 600'000}, true);
  parameters[0].can_be_cut = parameters[1].can_be_cut = false;
  EXPECT_LE(largest_share(parameters, 2) * 2 * 100, bytes_of_all(parameters) * 101);
}

TEST(ParameterShares, NamesAndSizesDecideWhateverTheOrder) {
  auto parameters = parameters_of({5000, 5000, 5000, 300, 300, 70}, true);
  const std::vector<RangesOfRanks> before = share_out(parameters, 2);
  std::reverse(parameters.begin(), parameters.end());
  std::vector<RangesOfRanks> after = share_out(parameters, 2);
  std::reverse(after.begin(), after.end());
  EXPECT_EQ(before, after);
}

TEST(ParameterShares, TellsWhoseAValueIs) {
  const ParameterShares shares({{{0, 2048}, {2048, 4000}}, {{}, {0, 7}}}, 1);
  EXPECT_EQ(shares.owner(0, 2047), 0);
  EXPECT_EQ(shares.owner(0, 2048), 1);
  EXPECT_EQ(shares.owner(1, 0), 1);
  EXPECT_TRUE(shares.has(1));
  EXPECT_FALSE(ParameterShares({{{0, 2048}, {2048, 4000}}, {{}, {0, 7}}}, 0).has(1));
  EXPECT_TRUE(ParameterShares().has(5));
}

}  // namespace
}  // namespace hearth
