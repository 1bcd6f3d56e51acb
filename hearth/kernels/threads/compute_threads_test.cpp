// How compute threads wait: the choice, and that it is heeded.
#include "hearth/kernels/threads/compute_threads.h"

#include <ATen/ops/zeros.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "hearth/base/cores.h"
#include "hearth/kernels/comparison_test.h"

namespace hearth {
namespace {

constexpr ThreadChoice kSpinning;
constexpr ThreadChoice kSleeping{Waiting::kSleep};

ThreadChoice together_on(int cores) { return {Waiting::kTogether, cores}; }

TEST(Waiting, IsSpinningWhileEveryThreadHasACore) {
  EXPECT_EQ(better_choice(0.0, 2, 2, Waiting::kSpin), kSpinning);
  EXPECT_EQ(better_choice(0.2, 2, 2, Waiting::kSpin), kSpinning);
  EXPECT_EQ(better_choice(5.9, 8, 2, Waiting::kSpin), kSpinning);
  EXPECT_EQ(better_choice(2.0, 2, 1, Waiting::kSpin), kSpinning);
}

TEST(Waiting, IsSleepingWhereOthersNeedSomeOfTheCores) {
  EXPECT_EQ(better_choice(0.5, 2, 2, Waiting::kSpin), kSleeping);
  EXPECT_EQ(better_choice(6.5, 8, 2, Waiting::kSpin), kSleeping);
  EXPECT_EQ(better_choice(10, 64, 64, Waiting::kSpin), kSleeping);
}

TEST(Waiting, IsTogetherOnTheirShareWhereOthersNeedHalfOfThem) {
  EXPECT_EQ(better_choice(1.3, 2, 2, Waiting::kSpin), together_on(1));
  EXPECT_EQ(better_choice(2.0, 2, 2, Waiting::kSleep), together_on(1));
  EXPECT_EQ(better_choice(40, 64, 64, Waiting::kSpin), together_on(32));
  EXPECT_EQ(better_choice(7.5, 8, 2, Waiting::kSpin), together_on(1));
  EXPECT_EQ(better_choice(1.0, 2, 4, Waiting::kSpin), together_on(1));
}

TEST(Waiting, StaysAsItIsBetweenTheTwoBounds) {
  EXPECT_EQ(better_choice(0.2, 2, 2, Waiting::kSleep), kSleeping);
  EXPECT_EQ(better_choice(0.1, 2, 2, Waiting::kTogether), kSpinning);
}

// Processor time of this process over pieces of parallel work with pauses between them, in which
// threads that spin go on.
std::clock_t time_of_pauses(at::Tensor& values) {
  const std::clock_t began = std::clock();
  for (int piece = 0; piece < 10; ++piece) {
    values.add_(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::clock() - began;
}

TEST(SleepingThreads, TakeLessTimeThanSpinningOnesWhileTheyWait) {
  if (available_cores() < 2 || std::getenv("OMP_WAIT_POLICY") != nullptr ||
      std::getenv("GOMP_SPINCOUNT") != nullptr)
    GTEST_SKIP() << "threads do not spin here anyway";
  const WithThreads two(2);
  at::Tensor values = at::zeros({100'000});
  const std::clock_t spinning = time_of_pauses(values);
  std::clock_t sleeping = 0;
  {
    const SleepingThreads asleep(2);
    sleeping = time_of_pauses(values);
  }
  EXPECT_LT(sleeping * 2, spinning);
  EXPECT_LT(sleeping * 2, time_of_pauses(values));  // they spin again
}

TEST(ThreadWatch, BeginsAndEndsAtOnceAndLeavesTheNumberOfThreads) {
  const WithThreads two(2);
  for (int i = 0; i < 20; ++i) const ThreadWatch watch;
  const ThreadWatch watch;
  EXPECT_EQ(at::get_num_threads(), 2);
}

}  // namespace
}  // namespace hearth
