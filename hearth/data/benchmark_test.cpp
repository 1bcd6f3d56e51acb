#include "hearth/data/benchmark.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::FailAt;
using testing_data::Ops;

class SlowNoise : public AddNoise {
 public:
  using AddNoise::AddNoise;
  void run(Random& random, std::span<const View> in, std::span<const Cell> out) const override {
    // Long against what a sanitizer, or a turn lost to another process, adds to the steps beside
    // it.
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(500);
    while (std::chrono::steady_clock::now() < end) continue;
    AddNoise::run(random, in, out);
  }
};

TEST(Benchmark, NamesTheOpThatCostsMost) {
  const Chain chain(
      std::make_shared<CountingSource>(64),
      Ops{std::make_shared<AddNoise>("x", "x", true), std::make_shared<SlowNoise>("x", "x", true)},
      {"x", "id"}, {"quick", "slow"});
  const auto result =
      benchmark_pipeline(64, {.batch_size = 8}, chain.every_epoch(),
                         {.most_workers = 1, .seconds_per_row = 0.02, .profiled_samples = 100});
  EXPECT_EQ(result.slowest().name, "slow");
  EXPECT_GE(result.slowest().nanoseconds, 500'000);
  EXPECT_GT(result.slowest().share, 0.5);
  ASSERT_EQ(result.rates.size(), 2U);
  EXPECT_GT(result.rates[0].samples_per_second, 0);
  EXPECT_LE(result.rates[0].samples_per_second, 2'000);
}

class FilterOut : public testing_data::FailAt {
 public:
  explicit FilterOut(int64_t sample) : FailAt({}), sample_(sample) {}
  void run(Random&, std::span<const View> in, std::span<const Cell>) const override {
    if (in[0].as<int64_t>()[0] == sample_) throw FilteredSample{};
  }

 private:
  int64_t sample_;
};

TEST(Benchmark, LeavesOutSamplesThatCannotBeMade) {
  const Chain chain(
      std::make_shared<CountingSource>(8, std::set<int64_t>{0}),
      Ops{std::make_shared<FailAt>(std::set<int64_t>{4}), std::make_shared<FilterOut>(6),
          std::make_shared<SlowNoise>("x", "x", true)},
      {"x", "id"}, {"picky", "filter", "slow"});
  const auto result = benchmark_pipeline(
      8, {.batch_size = 8, .shuffle = false, .on_error = OnError::kReplace}, chain.every_epoch(),
      {.most_workers = 0, .seconds_per_row = 0.02, .profiled_samples = 40});
  EXPECT_GE(result.slowest().nanoseconds, 500'000);
}

TEST(Benchmark, PrintsATableAndAVerdict) {
  PipelineBenchmark result;
  result.rates = {{0, 1500}, {1, 2500.7}};
  result.costs = {{"source", 250, 0.25}, {"normalize", 750, 0.75}};
  result.memory_bytes = 2048;
  EXPECT_EQ(result.text(),
            "workers    samples/s\n"
            "      0        1,500\n"
            "      1        2,500\n"
            "\n"
            "step                     ns/sample   share\n"
            "source                         250   25.0%\n"
            "normalize                      750   75.0%\n"
            "\n"
            "memory 2.0 KiB; fastest with workers: 1; most time goes to 'normalize'.\n"
            "to change: data.workers: 1, up to 1.67 x as fast\n");
}

TEST(Benchmark, SaysWhoWaitsForWhomAndWhatAChangeCanBring) {
  PipelineBenchmark result;
  result.rates = {{0, 1000}, {1, 2000}};
  result.costs = {{"source", 900, 0.9}, {"flip", 100, 0.1}};
  result.cached_share = 0.9;
  const auto advice = result.advice();
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_EQ(advice[0].change, "data.cache: auto");
  EXPECT_NEAR(advice[0].gain, 10, 1e-9);
  EXPECT_NEAR(advice[1].gain, 2, 1e-9);
  // Of a step of 10 ms, 1 ms can be had; half of it by another worker.
  result.training = {.step_seconds = 0.01, .wait_seconds = 0.001, .samples = 8};
  ASSERT_EQ(result.advice().size(), 2U);
  EXPECT_NEAR(result.advice()[0].gain, 10.0 / 9.1, 1e-9);
  EXPECT_NEAR(result.advice()[1].gain, 10.0 / 9.5, 1e-9);
  EXPECT_NE(result.text().find("training: 10 ms a step, of which it waits 10% for data; data "
                               "alone take 4 ms a batch, and wait for training 60% of the "
                               "time.\n"),
            std::string::npos)
      << result.text();
  result.training->wait_seconds = 0.0001;
  EXPECT_TRUE(result.advice().empty());
  EXPECT_NE(result.text().find("to change: nothing that pays\n"), std::string::npos);
}

}  // namespace
}  // namespace hearth
