// Plans whose numbers are known.
#include "hearth/train/scale/scale_plan.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace hearth::scale {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// A tenth of a second for each sample in each pass, and nothing else.
MeasuredStep measured(double samples) {
  return {samples, {samples * 0.1, samples * 0.1, 0, {{1000, samples * 0.1}}}, samples * 100};
}

ScaleQuestion question_of(int64_t hosts, double bytes_per_second) {
  return {{hosts, 1, {bytes_per_second, 0}, {kEndless, 0}, 1}, 64, false};
}

TEST(ScaleProfile, TimesGrowEvenlyBetweenTwoMeasuredSteps) {
  MeasuredStep small = measured(16);
  small.step.forward_seconds += 0.8;  // of 1.6 + 0.8 and 6.4: 1.0667 whatever the samples are
  const ScaleProfile profile(measured(64), small);
  EXPECT_NEAR(profile.step(40).forward_seconds, 4.4, 1e-9);
  EXPECT_NEAR(profile.step(0).forward_seconds, 3.2 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(profile.step(32).backward_seconds, 3.2);
  EXPECT_DOUBLE_EQ(profile.other_bytes(8), 800);
}

TEST(ScaleProfile, NothingTakesLessThanNoTime) {
  MeasuredStep small = measured(16);
  small.step.forward_seconds = 0.1;  // faster than its share: noise
  EXPECT_DOUBLE_EQ(ScaleProfile(measured(64), small).step(0).forward_seconds, 0);
  EXPECT_NEAR(ScaleProfile(measured(64), measured(64)).step(1).forward_seconds, 0.1, 1e-9);
}

TEST(ScalePlan, WithoutTrafficEveryRankIsWorthOne) {
  const ScaleProfile profile(measured(64), measured(16));
  const ScalePlan plan = plan_scale(profile, {}, question_of(12, kEndless));
  ASSERT_EQ(plan.rows.size(), 5U);  // 1, 2, 4, 8 and 12
  EXPECT_DOUBLE_EQ(plan.rows[2].efficiency, 1);
  EXPECT_DOUBLE_EQ(plan.rows[2].step.seconds, 3.2);
  EXPECT_DOUBLE_EQ(plan.rows[4].samples, 6);  // of 64 over 12
  EXPECT_LT(plan.rows[4].efficiency, 1);
}

TEST(ScalePlan, ASlowNetworkMakesMoreHostsSlower) {
  const ScaleProfile profile(measured(64), measured(16));
  const ScalePlan plan = plan_scale(profile, {}, question_of(2, 50));
  EXPECT_DOUBLE_EQ(plan.rows[1].step.seconds, 6.4 + 1000 / 50.0);
  EXPECT_LT(plan.rows[1].samples_per_second, plan.rows[0].samples_per_second);
}

TEST(ScalePlan, RanksThatShareACoreTakeTurns) {
  const ScaleProfile profile(measured(64), measured(16));
  ScaleQuestion question = question_of(1, kEndless);
  question.cluster.ranks_per_host = 4;
  question.crowding = 2;
  const ScalePlan plan = plan_scale(profile, {}, question);
  EXPECT_DOUBLE_EQ(plan.rows[0].step.seconds, 6.4);
  EXPECT_DOUBLE_EQ(plan.rows[0].efficiency, 0.5);
}

TEST(ScalePlan, ZeroShardsWhatItSays) {
  const ScaleProfile profile(measured(64), measured(16));
  const ScalePlan plan = plan_scale(profile, {4000, 4000, 8000}, question_of(4, kEndless));
  ASSERT_EQ(plan.memory.size(), 3U);
  EXPECT_DOUBLE_EQ(plan.memory[0].all(), 4000 + 4000 + 8000 + 1600);
  EXPECT_DOUBLE_EQ(plan.memory[1].all(), 4000 + 4000 + 2000 + 1600);
  EXPECT_DOUBLE_EQ(plan.memory[2].all(), 4000 + 1000 + 2000 + 1600);
}

TEST(ScalePlan, ZeroFollowsTheRuleBySharesOfParameters) {
  const ScaleProfile profile(measured(64), measured(16));
  ModelMemory memory{4000, 4000, 12000, 4000};
  memory.shared = {{"large", 600, 8, false}, {"small", 200, 8, false}, {"least", 200, 8, false}};
  const ScalePlan plan = plan_scale(profile, memory, question_of(4, kEndless));
  EXPECT_DOUBLE_EQ(plan.memory[1].model.optimizer, 4000 + 8000 * 0.6);
  EXPECT_DOUBLE_EQ(plan.memory[2].model.gradients, 4000 * 0.6);
}

TEST(ScalePlan, MoreRanksThanSamplesIsSaid) {
  const ScaleProfile profile(measured(64), measured(16));
  ScaleQuestion question = question_of(100, kEndless);
  EXPECT_NE(plan_scale(profile, {}, question).notes.front().find("leaves 36 of 100 ranks"),
            std::string::npos);
  question.is_weak = true;
  EXPECT_TRUE(plan_scale(profile, {}, question).notes.empty());
  EXPECT_DOUBLE_EQ(plan_scale(profile, {}, question).rows.back().efficiency, 1);
}

}  // namespace
}  // namespace hearth::scale
