// Ranks, which are threads of this process, that make steps of what comes first.
#include "hearth/network/step_gathering.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "hearth/base/message_of_test.h"
#include "hearth/cluster/join.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::shared_ptr<Group> borrowed(Group& group) {
  return {&group, [](Group*) {}};
}

TensorPacket found(int64_t round, int64_t slot) {
  return {{at::full({3}, static_cast<double>(100 * round + slot))}, {{"sums", 1}}};
}

// What one rank computes, and how long that takes it; the steps it made.
std::vector<GatheredStep> make_steps(StepGathering& gathering, int64_t steps, int64_t live,
                                     std::chrono::milliseconds time) {
  std::vector<GatheredStep> made;
  for (int64_t round = 0; round < steps; ++round) {
    std::optional<int64_t> slot = gathering.begin(round, live);
    while (slot) {
      std::this_thread::sleep_for(time);
      slot = gathering.give(found(round, *slot));
    }
    made.push_back(gathering.step());
  }
  gathering.finish();
  return made;
}

double expected_sum(int64_t round, const std::vector<int64_t>& slots) {
  double sum = 0;
  for (const int64_t slot : slots) sum += static_cast<double>(100 * round + slot);
  return sum;
}

constexpr int64_t kPlenty = int64_t{1} << 30;

TEST(StepGathering, DoesNotWaitForASlowRankAndAllMakeTheSameSteps) {
  std::mutex mutex;
  std::vector<std::vector<GatheredStep>> all(3);
  std::chrono::duration<double> fast{};
  std::vector<int64_t> late;
  with_ranks(3, [&](Group& group) {
    StepGathering gathering(borrowed(group), {3, 2, kPlenty});
    const auto begun = Clock::now();
    auto made = make_steps(gathering, 20, 3, group.rank() == 2 ? 400ms : 5ms);
    const std::scoped_lock lock(mutex);
    if (group.rank() == 1) fast = Clock::now() - begun;
    if (group.is_first()) late = gathering.late();
    all[static_cast<size_t>(group.rank())] = std::move(made);
  });
  EXPECT_LT(fast.count(), 4) << "waiting for all of them takes 8 s";
  EXPECT_GT(late.at(2), 0);
  for (size_t rank = 0; rank < 3; ++rank)
    for (size_t round = 0; round < 20; ++round) {
      const GatheredStep& step = all[rank][round];
      EXPECT_EQ(step.slots, all[0][round].slots);
      EXPECT_EQ(step.slots.size(), 2u);
      EXPECT_EQ(step.sums.at(0)[0].item<double>(),
                expected_sum(static_cast<int64_t>(round), step.slots));
    }
}

TEST(StepGathering, DoesNotWaitForTheFirstRankEither) {
  std::mutex mutex;
  std::chrono::duration<double> fast{};
  with_ranks(3, [&](Group& group) {
    StepGathering gathering(borrowed(group), {3, 2, kPlenty});
    const auto begun = Clock::now();
    (void)make_steps(gathering, 20, 3, group.is_first() ? 400ms : 5ms);
    const std::scoped_lock lock(mutex);
    if (group.rank() == 1) fast = Clock::now() - begun;
  });
  EXPECT_LT(fast.count(), 4);
}

TEST(StepGathering, TakesAllPartsWhereNoneIsSpare) {
  with_ranks(2, [](Group& group) {
    StepGathering gathering(borrowed(group), {5, 5, kPlenty});
    for (int again = 0; again < 2; ++again)
      for (const GatheredStep& step : make_steps(gathering, 6, 5, 1ms))
        EXPECT_EQ(step.slots, (std::vector<int64_t>{0, 1, 2, 3, 4}));
    EXPECT_THAT(gathering.late(), testing::Each(0));
  });
}

TEST(StepGathering, TellsAnErrorOfOneRankToThoseWhoWait) {
  const std::string message = message_of<std::exception>([] {
    with_ranks(2, [](Group& group) {
      StepGathering gathering(borrowed(group), {2, 2, kPlenty});
      (void)gathering.begin(0, 2);
      if (group.rank() == 1) throw std::runtime_error("no more memory");
      (void)gathering.give(found(0, 0));
      (void)gathering.give(found(0, 1));
      (void)gathering.begin(1, 2);
      (void)gathering.give(found(1, 0));
      ADD_FAILURE() << "rank 1 cannot have given anything";
    });
  });
  EXPECT_THAT(message, testing::HasSubstr("no more memory"));
}

TEST(Group, SendsStraightToOneRankBesideWhatAllDo) {
  with_ranks(3, [](Group& group) {
    std::vector<at::Tensor> received;
    std::thread receiver([&] {
      for (int i = 0; i < 2 && group.is_first(); ++i)
        received.push_back(group.await_from(2, std::stop_token()));
    });
    group.barrier("before");
    for (const int64_t value : {1, 2})
      if (group.rank() == 2) group.send_to(0, "test", at::full({value}, value, at::kByte));
    group.barrier("after");
    receiver.join();
    if (!group.is_first()) return;
    EXPECT_TRUE(received[0].equal(at::full({1}, 1, at::kByte)));
    EXPECT_TRUE(received[1].equal(at::full({2}, 2, at::kByte)));
  });
}

}  // namespace
}  // namespace hearth
