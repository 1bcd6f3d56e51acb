// Schedules whose answers are known without a simulator.
#include "hearth/train/scale/bucket_schedule.h"

#include <gtest/gtest.h>

#include <limits>

namespace hearth::scale {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

// Forward 1 s, backward 4 s with a gradient of 100 bytes each second, update 0.5 s.
ComputedStep four_layers() { return {1, 4, 0.5, {{100, 1}, {100, 2}, {100, 3}, {100, 4}}}; }

ClusterShape cluster_of(int64_t hosts, double bytes_per_second, int64_t bucket_bytes = 1) {
  return {hosts, 1, {bytes_per_second, 0}, {kEndless, 0}, bucket_bytes};
}

TEST(BucketSchedule, OneRankSendsNothing) {
  const ScheduledStep step = schedule_step(four_layers(), cluster_of(1, 1));
  EXPECT_DOUBLE_EQ(step.seconds, 5.5);
  EXPECT_DOUBLE_EQ(step.bytes_sent, 0);
  EXPECT_TRUE(step.buckets.empty());
}

TEST(BucketSchedule, AnEndlessLinkTakesNoTime) {
  const ScheduledStep step = schedule_step(four_layers(), cluster_of(64, kEndless));
  EXPECT_DOUBLE_EQ(step.seconds, 5.5);
  EXPECT_DOUBLE_EQ(step.exposed_seconds, 0);
  EXPECT_EQ(step.buckets.size(), 4U);
}

// 2 x (4 - 1) / 4 x 400 bytes at 100 a second, after all is computed.
TEST(BucketSchedule, OneBucketWaitsForTheLastGradient) {
  const ScheduledStep step = schedule_step(four_layers(), cluster_of(4, 100, 1000));
  ASSERT_EQ(step.buckets.size(), 1U);
  EXPECT_DOUBLE_EQ(step.bytes_sent, 600);
  EXPECT_DOUBLE_EQ(step.buckets[0].begin, 5);
  EXPECT_DOUBLE_EQ(step.exposed_seconds, 6);
  EXPECT_DOUBLE_EQ(step.seconds, 11.5);
}

// Each bucket takes 0.5 s of the second until the next is there: only the last is seen.
TEST(BucketSchedule, BucketsHideBehindTheBackwardPass) {
  const ScheduledStep step = schedule_step(four_layers(), cluster_of(2, 200));
  EXPECT_DOUBLE_EQ(step.exchange_seconds, 2);
  EXPECT_DOUBLE_EQ(step.exposed_seconds, 0.5);
  EXPECT_DOUBLE_EQ(step.seconds, 6);
}

// Each takes 10 s: the link is never idle from the first gradient on, at 1 + 1 s.
TEST(BucketSchedule, ASlowLinkDecidesTheStep) {
  const ScheduledStep step = schedule_step(four_layers(), cluster_of(2, 10));
  EXPECT_DOUBLE_EQ(step.seconds, 2 + 4 * 10 + 0.5);
  for (size_t i = 1; i < step.buckets.size(); ++i)
    EXPECT_DOUBLE_EQ(step.buckets[i].begin, step.buckets[i - 1].end);
}

TEST(BucketSchedule, EveryBucketPaysTheLatencyOfTwoPhases) {
  ClusterShape cluster = cluster_of(2, kEndless);
  cluster.network.latency_seconds = 3;
  EXPECT_DOUBLE_EQ(schedule_step(four_layers(), cluster).seconds, 2 + 4 * 6 + 0.5);
  cluster.bucket_bytes = 1000;
  EXPECT_DOUBLE_EQ(schedule_step(four_layers(), cluster).seconds, 5 + 6 + 0.5);
}

// Two ranks a host share its link: each sends two of four slices away in a phase.
TEST(BucketSchedule, RanksOfAHostShareItsNetwork) {
  ClusterShape cluster = cluster_of(2, 100);
  cluster.ranks_per_host = 2;
  EXPECT_DOUBLE_EQ(exchange_seconds(400, cluster), 2 * (2 * 2 * 100) / 100.0);
  cluster.local.bytes_per_second = 10;  // 2 x 1 slices stay on the host, over a slower one
  EXPECT_DOUBLE_EQ(exchange_seconds(400, cluster), 2 * (2 * 1 * 100) / 10.0);
}

TEST(BucketSchedule, WithoutOverlapAllComesAfterTheBackwardPass) {
  ClusterShape cluster = cluster_of(2, 200);
  cluster.overlaps = false;
  const ScheduledStep step = schedule_step(four_layers(), cluster);
  EXPECT_DOUBLE_EQ(step.exposed_seconds, step.exchange_seconds);
  EXPECT_DOUBLE_EQ(step.seconds, 7.5);
}

TEST(BucketSchedule, ASmallFirstBucketGoesEarly) {
  ClusterShape cluster = cluster_of(2, 200, 300);
  cluster.first_bucket_bytes = 100;
  const ScheduledStep step = schedule_step(four_layers(), cluster);
  ASSERT_EQ(step.buckets.size(), 2U);
  EXPECT_EQ(step.buckets[0].bytes, 100);
  EXPECT_DOUBLE_EQ(step.buckets[0].begin, 2);
}

TEST(BucketSchedule, TheOrderOfTheListDoesNotMatter) {
  ComputedStep turned = four_layers();
  std::swap(turned.gradients[0], turned.gradients[3]);
  EXPECT_DOUBLE_EQ(schedule_step(turned, cluster_of(2, 10, 150)).seconds,
                   schedule_step(four_layers(), cluster_of(2, 10, 150)).seconds);
}

}  // namespace
}  // namespace hearth::scale
