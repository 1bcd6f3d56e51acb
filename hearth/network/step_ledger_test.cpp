// Which ranks a step is made of.
#include "hearth/network/step_ledger.h"

#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {
namespace {

using testing::ElementsAre;
using namespace std::chrono_literals;

constexpr int64_t kPlenty = int64_t{1} << 30;

StepLedger ledger_of(int64_t ranks, int64_t slots, int64_t aggregate, int64_t backlog = kPlenty) {
  return StepLedger({.ranks = ranks,
                     .slots = slots,
                     .aggregate = aggregate,
                     .backlog_bytes = backlog,
                     .check = {}});
}

StepLedger::Ask ask_of(int64_t rank, int64_t round, int64_t live) {
  StepLedger::Ask ask;
  ask.rank = rank;
  ask.round = ask.step = round;
  ask.live = live;
  return ask;
}

// One value to be added up, and one that goes to all.
StepLedger::Ask found_of(int64_t rank, int64_t round, int64_t slot, double value,
                         int64_t live = 255) {
  StepLedger::Ask ask = ask_of(rank, round, live);
  ask.slot = slot;
  ask.found = {{at::full({1}, value), at::full({2}, slot)}, {{"sums", 1}}};
  return ask;
}

GatheredStep step_in(const StepLedger::Answer& answer) {
  return GatheredStep::of(TensorPacket::of(answer.step));
}

double sum_in(const GatheredStep& step) { return step.sums.at(0).item<double>(); }

// All begin a round and get the slots of their own.
void begin_all(StepLedger& ledger, int64_t round, std::initializer_list<int64_t> ranks,
               int64_t live) {
  for (const int64_t rank : ranks) ASSERT_EQ(ledger.ask(ask_of(rank, round, live)).slot, rank);
}

TEST(StepLedger, MakesAStepOfTheFirstThatCome) {
  StepLedger ledger = ledger_of(3, 3, 2);
  begin_all(ledger, 0, {0, 1, 2}, 3);
  auto waiting = std::async([&] { return ledger.ask(found_of(2, 0, 2, 30)); });
  EXPECT_EQ(waiting.wait_for(100ms), std::future_status::timeout);
  const GatheredStep step = step_in(ledger.ask(found_of(0, 0, 0, 1)));
  EXPECT_THAT(step.slots, ElementsAre(0, 2));
  EXPECT_EQ(sum_in(step), 31);
  EXPECT_EQ(sum_in(step_in(waiting.get())), 31);
  EXPECT_TRUE(step.parts.at(1).tensors.at(0).equal(at::full({2}, 2)));
}

TEST(StepLedger, DropsAndCountsWhatComesTooLate) {
  StepLedger ledger = ledger_of(3, 3, 1);
  begin_all(ledger, 0, {0, 1, 2}, 3);
  (void)ledger.ask(found_of(1, 0, 1, 5));
  const GatheredStep step = step_in(ledger.ask(found_of(2, 0, 2, 7)));
  EXPECT_EQ(sum_in(step), 5);
  EXPECT_THAT(ledger.late(), ElementsAre(0, 0, 1));
  ledger.count_from(1);
  (void)ledger.ask(found_of(0, 0, 0, 9));
  EXPECT_THAT(ledger.late(), ElementsAre(0, 0, 0));
}

// What it comes to in float32 hangs on the order.
TEST(StepLedger, AddsInTheOrderOfSlotsWhoeverCameFirst) {
  const std::vector<double> values = {1e8, 1, -1e8, 0.25};
  for (const std::vector<int64_t>& order : {std::vector<int64_t>{0, 1, 2, 3}, {3, 0, 2, 1}}) {
    StepLedger ledger = ledger_of(4, 4, 4);
    begin_all(ledger, 0, {0, 1, 2, 3}, 4);
    std::vector<std::future<StepLedger::Answer>> answers;
    for (const int64_t slot : order) {
      answers.push_back(std::async(std::launch::async, [&, slot] {
        return ledger.ask(found_of(slot, 0, slot, values[static_cast<size_t>(slot)]));
      }));
      std::this_thread::sleep_for(20ms);
    }
    EXPECT_EQ(sum_in(step_in(answers[0].get())), 0) << "(1e8 + 1) + (-1e8 + 0.25)";
  }
}

TEST(StepLedger, GivesAStepThatIsMadeToWhoComesLater) {
  StepLedger ledger = ledger_of(2, 2, 1);
  for (int64_t round = 0; round < 5; ++round) {
    begin_all(ledger, round, {0}, 2);
    (void)ledger.ask(found_of(0, round, 0, static_cast<double>(round)));
  }
  for (int64_t round = 0; round < 5; ++round) {
    const StepLedger::Answer answer = ledger.ask(ask_of(1, round, 2));
    ASSERT_FALSE(answer.slot) << "of a step that is made nothing is computed";
    EXPECT_EQ(sum_in(step_in(answer)), round);
  }
  EXPECT_EQ(ledger.ask(ask_of(1, 5, 2)).slot, 1) << "it has caught up";
}

TEST(StepLedger, WaitsForASlowRankWhenTheBacklogIsFull) {
  StepLedger ledger = ledger_of(2, 2, 1, 1);
  begin_all(ledger, 0, {0}, 2);
  (void)ledger.ask(found_of(0, 0, 0, 1));
  auto next = std::async([&] { return ledger.ask(ask_of(0, 1, 2)); });
  EXPECT_EQ(next.wait_for(100ms), std::future_status::timeout);
  (void)ledger.ask(ask_of(1, 0, 2));
  EXPECT_EQ(next.wait_for(100ms), std::future_status::timeout);
  EXPECT_EQ(ledger.ask(ask_of(1, 1, 2)).slot, 1);
  EXPECT_EQ(next.get().slot, 0);
}

TEST(StepLedger, LetsFastRanksComputeMoreWhereThereAreMoreSlotsThanRanks) {
  StepLedger ledger = ledger_of(2, 5, 5);
  begin_all(ledger, 0, {0, 1}, 5);
  std::vector<int64_t> taken = {0};
  while (taken.size() < 4) {
    const auto next = ledger.ask(found_of(0, 0, taken.back(), 1)).slot;
    ASSERT_TRUE(next);
    taken.push_back(*next);
  }
  EXPECT_THAT(taken, ElementsAre(0, 2, 3, 4));
  auto waiting = std::async([&] { return ledger.ask(found_of(0, 0, 4, 1)); });
  const GatheredStep step = step_in(ledger.ask(found_of(1, 0, 1, 10)));
  EXPECT_EQ(sum_in(step), 14);
  EXPECT_THAT(step.ranks, ElementsAre(0, 1, 0, 0, 0));
  EXPECT_FALSE(waiting.get().slot);
}

TEST(StepLedger, LetsAFastRankComputeWhatIsLackingAfterAWhile) {
  StepLedger ledger = ledger_of(2, 2, 2);
  begin_all(ledger, 0, {0}, 2);
  std::this_thread::sleep_for(200ms);
  auto next = std::async([&] { return ledger.ask(found_of(0, 0, 0, 1)); });
  EXPECT_EQ(next.wait_for(50ms), std::future_status::timeout) << "its owner may still come";
  EXPECT_EQ(next.get().slot, 1);
  auto late = std::async([&] { return ledger.ask(ask_of(1, 0, 2)); });
  EXPECT_THAT(step_in(ledger.ask(found_of(0, 0, 1, 1))).ranks, ElementsAre(0, 0));
  EXPECT_FALSE(late.get().slot);
}

TEST(StepLedger, LeavesASpareSlotToItsOwnRank) {
  StepLedger ledger = ledger_of(3, 3, 2);
  begin_all(ledger, 0, {0, 1}, 3);
  auto waiting = std::async([&] { return ledger.ask(found_of(0, 0, 0, 1)); });
  EXPECT_EQ(waiting.wait_for(100ms), std::future_status::timeout) << "slot 2 is not needed";
  EXPECT_EQ(ledger.ask(ask_of(2, 0, 3)).slot, 2);
  (void)ledger.ask(found_of(2, 0, 2, 1));
  EXPECT_FALSE(waiting.get().slot);
}

TEST(StepLedger, TakesFewerOfABatchThatHasFewerParts) {
  StepLedger ledger = ledger_of(3, 3, 3);
  begin_all(ledger, 0, {0}, 1);
  const GatheredStep step = step_in(ledger.ask(found_of(0, 0, 0, 4, 1)));
  EXPECT_THAT(step.slots, ElementsAre(0));
  EXPECT_FALSE(ledger.ask(ask_of(2, 0, 1)).slot);
}

TEST(StepLedger, MakesStepsAgainOfWhatTheyWereMadeOf) {
  StepLedger ledger = ledger_of(1, 3, 1);
  ledger.replay({{0, {.slots = {1, 2}, .ranks = {1, 5}, .late = {7}}}});
  EXPECT_EQ(ledger.ask(ask_of(0, 0, 3)).slot, 1);
  EXPECT_EQ(ledger.ask(found_of(0, 0, 1, 1)).slot, 2);
  const GatheredStep step = step_in(ledger.ask(found_of(0, 0, 2, 1)));
  EXPECT_THAT(step.slots, ElementsAre(1, 2));
  EXPECT_THAT(step.ranks, ElementsAre(1, 5));
  EXPECT_THAT(step.late, ElementsAre(7));
  EXPECT_EQ(ledger.ask(ask_of(0, 1, 3)).slot, 0) << "of the next step nothing is known";
}

TEST(StepLedger, TellsEverybodyWhatAnyoneSaid) {
  StepLedger ledger = ledger_of(2, 2, 1);
  StepLedger::Ask ask = ask_of(1, 0, 2);
  ask.news = {true, 3.5, false};
  (void)ledger.ask(ask);
  begin_all(ledger, 0, {0}, 2);
  const RankNews news = step_in(ledger.ask(found_of(0, 0, 0, 1))).news;
  EXPECT_TRUE(news.is_interrupted);
  EXPECT_EQ(news.seconds, 3.5);
  EXPECT_FALSE(news.is_saving);
}

TEST(StepLedger, EndsAllWaitingWithTheError) {
  StepLedger ledger = ledger_of(2, 2, 2);
  begin_all(ledger, 0, {0, 1}, 2);
  auto waiting = std::async([&] { (void)ledger.ask(found_of(0, 0, 0, 1)); });
  ledger.fail(std::make_exception_ptr(DataError("a rank is gone")));
  EXPECT_EQ(message_of<DataError>([&] { waiting.get(); }), "a rank is gone");
}

}  // namespace
}  // namespace hearth
