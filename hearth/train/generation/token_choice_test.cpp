// Which tokens may be drawn and how often, against a table.
#include "hearth/train/generation/token_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "hearth/base/error.h"

namespace hearth {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pair;

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Probabilities 0.4, 0.1, 0.3, 0, 0.2.
std::vector<float> table_scores() {
  std::vector<float> scores;
  for (const double probability : {0.4, 0.1, 0.3, 0.0, 0.2})
    scores.push_back(static_cast<float>(std::log(probability)) + 5);
  return scores;
}

std::vector<std::pair<int64_t, double>> kept(const ChoiceRules& rules) {
  std::vector<std::pair<int64_t, double>> pairs;
  for (const TokenShare& each : token_shares(table_scores(), rules))
    pairs.emplace_back(each.token, each.share);
  return pairs;
}

auto near(int64_t token, double share) { return Pair(token, DoubleNear(share, 1e-6)); }

TEST(TokenShares, KeepTheSetsOfATable) {
  EXPECT_THAT(kept({}), ElementsAre(near(0, 0.4), near(1, 0.1), near(2, 0.3), near(4, 0.2)));
  EXPECT_THAT(kept({.top_k = 2}), ElementsAre(near(0, 4.0 / 7), near(2, 3.0 / 7)));
  EXPECT_THAT(kept({.top_k = 9}),
              ElementsAre(near(0, 0.4), near(2, 0.3), near(4, 0.2), near(1, 0.1)));
  EXPECT_THAT(kept({.top_p = 0.35}), ElementsAre(near(0, 1)));
  EXPECT_THAT(kept({.top_p = 0.5}), ElementsAre(near(0, 4.0 / 7), near(2, 3.0 / 7)));
  EXPECT_THAT(kept({.top_p = 0.75}),
              ElementsAre(near(0, 4.0 / 9), near(2, 3.0 / 9), near(4, 2.0 / 9)));
  EXPECT_THAT(kept({.top_p = 1}),
              ElementsAre(near(0, 0.4), near(2, 0.3), near(4, 0.2), near(1, 0.1)));
  // Of the two most likely ones, the first has 4/7.
  EXPECT_THAT(kept({.top_k = 2, .top_p = 0.5}), ElementsAre(near(0, 1)));
}

TEST(TokenShares, SharpenAndFlattenWithTheTemperature) {
  const double sum = 0.16 + 0.01 + 0.09 + 0.04;
  EXPECT_THAT(kept({.temperature = 0.5}), ElementsAre(near(0, 0.16 / sum), near(1, 0.01 / sum),
                                                      near(2, 0.09 / sum), near(4, 0.04 / sum)));
  EXPECT_THAT(kept({.temperature = 0}), ElementsAre(near(0, 1)));
  EXPECT_THAT(kept({.temperature = 1e-9, .top_k = 1}), ElementsAre(near(0, 1)));
  EXPECT_THAT(kept({.temperature = 1e9}),
              ElementsAre(near(0, 0.25), near(1, 0.25), near(2, 0.25), near(4, 0.25)));
}

TEST(TokenShares, PreferTheSmallerNumberOfEquallyLikelyTokens) {
  const std::vector<float> same = {1, 3, 3, 3};
  EXPECT_EQ(token_shares(same, {.temperature = 0}).front().token, 1);
  EXPECT_EQ(token_shares(same, {.top_k = 1}).front().token, 1);
  EXPECT_EQ(token_shares(same, {.top_p = 0.2}).front().token, 1);
}

TEST(TokenShares, RefuseScoresThatAreNoNumbers) {
  const std::vector<float> broken = {1, std::nanf("")};
  EXPECT_THROW((void)token_shares(broken, {}), DataError);
  EXPECT_THROW((void)token_shares(broken, {.temperature = 0}), DataError);
  EXPECT_THROW((void)token_shares(std::vector<float>{kNever, kNever}, {}), DataError);
}

TEST(DrawnToken, IsTheOneWhosePartTheNumberLiesIn) {
  const std::vector<TokenShare> shares = {{7, 0.5}, {2, 0.25}, {9, 0.25}};
  EXPECT_EQ(drawn_token(shares, 0), 7);
  EXPECT_EQ(drawn_token(shares, 0.4999), 7);
  EXPECT_EQ(drawn_token(shares, 0.5), 2);
  EXPECT_EQ(drawn_token(shares, 0.75), 9);
  EXPECT_EQ(drawn_token(std::vector<TokenShare>{{7, 0.5}, {2, 0.49}}, 0.995), 2);
}

TEST(TokenDraw, DrawsTokensAsOftenAsTheirShares) {
  const std::vector<TokenShare> shares = token_shares(table_scores(), {});
  const TokenDraw draw({.seed = 3, .sample = 1, .prompt = {}});
  std::map<int64_t, int> counts;
  for (int64_t place = 0; place < 20'000; ++place) ++counts[drawn_token(shares, draw.at(place))];
  EXPECT_NEAR(counts[0] / 20'000.0, 0.4, 0.015);
  EXPECT_NEAR(counts[1] / 20'000.0, 0.1, 0.015);
  EXPECT_NEAR(counts[2] / 20'000.0, 0.3, 0.015);
  EXPECT_EQ(counts[3], 0);
}

TEST(TokenDraw, FollowsFromSeedSamplePromptAndPlace) {
  const std::vector<int64_t> prompt = {1, 2};
  const std::vector<int64_t> other = {2, 1};
  const double number = TokenDraw({3, 1, prompt}).at(5);
  EXPECT_EQ(TokenDraw({3, 1, prompt}).at(5), number);
  for (const double another : {TokenDraw({4, 1, prompt}).at(5), TokenDraw({3, 2, prompt}).at(5),
                               TokenDraw({3, 1, other}).at(5), TokenDraw({3, 1, prompt}).at(6)})
    EXPECT_NE(another, number);
}

TEST(LogProbabilities, SumToOneAsProbabilities) {
  const std::vector<double> logarithms = log_probabilities(table_scores());
  EXPECT_NEAR(std::exp(logarithms[2]), 0.3, 1e-6);
  EXPECT_NEAR(log_probability(table_scores(), 4), std::log(0.2), 1e-6);
  EXPECT_TRUE(std::isinf(logarithms[3]));
}

TEST(Penalize, MakesWhatWasThereLessLikelyOnce) {
  std::vector<float> scores = {2, -2, 4};
  penalize(scores, std::vector<int64_t>{0, 1, 0}, 2);
  EXPECT_THAT(scores, ElementsAre(1, -4, 4));
}

}  // namespace
}  // namespace hearth
