// Cached samples are the same bits, whatever workers, resumption and earlier processes do.
#include "hearth/data/sample_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "hearth/base/files.h"
#include "hearth/data/cache_choice.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::hashes_of;
using testing_data::Ops;

// Multiplies by a number; draws nothing.
class Scale : public SampleOp {
 public:
  std::vector<std::string> reads() const override { return {"x"}; }
  std::vector<std::string> writes() const override { return {"x"}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  bool is_in_place() const override { return true; }
  bool is_random() const override { return false; }
  void run(Random&, std::span<const View> in, std::span<const Cell> out) const override {
    ++runs;
    for (size_t i = 0; i < 4; ++i) out[0].as<float>()[i] = in[0].as<float>()[i] * 3;
  }
  mutable std::atomic<int64_t> runs = 0;
};

// Sample i has i % 5 bytes, all of them i.
class Words : public CountingSource {
 public:
  using CountingSource::CountingSource;
  std::vector<KeySpec> keys() const override {
    return {{"x", {.shape = {4}}},
            {"id", {.dtype = DType::kInt64}},
            {"text", {.dtype = DType::kUint8, .shape = {kAnyLength}, .role = Role::kText}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    CountingSource::read(index, cells.first(2));
    if (!cells[2].is_wanted()) return;
    for (uint8_t& letter : cells[2].take({index % 5}).as<uint8_t>())
      letter = static_cast<uint8_t>(index);
  }
};

// The number of a text's letters, with noise.
class CountLetters : public SampleOp {
 public:
  std::vector<std::string> reads() const override { return {"text"}; }
  std::vector<std::string> writes() const override { return {"letters"}; }
  std::vector<Spec> infer(const std::vector<Spec>&) const override { return {{.shape = {}}}; }
  void run(Random& random, std::span<const View> in, std::span<const Cell> out) const override {
    float sum = random.uniform();
    for (const uint8_t letter : in[0].as<uint8_t>()) sum += static_cast<float>(letter);
    out[0].set(sum);
  }
};

struct Cached {
  std::shared_ptr<Words> source = std::make_shared<Words>(137);
  std::shared_ptr<Scale> scale = std::make_shared<Scale>();
  Chain chain{
      source,
      Ops{scale, std::make_shared<AddNoise>("x", "x", true), std::make_shared<CountLetters>()},
      {"x", "id", "letters"}};

  // A plan of its own, with a cache of its own.
  [[nodiscard]] std::shared_ptr<DataPlan> plan(const CacheRequest& request) const {
    auto plan = std::make_shared<DataPlan>(*chain.made());
    plan->cache = make_cache(request, choose_cache(request, *plan), *plan);
    return plan;
  }
};

LoaderOptions shuffled(int workers) {
  LoaderOptions options{.name = "train", .batch_size = 7, .workers = workers, .depth = 3};
  options.seed = 3;
  options.shuffle = true;
  options.epochs = 3;
  return options;
}

std::vector<std::string> hashes(const std::shared_ptr<const DataPlan>& plan, int workers,
                                LoaderState from = {}) {
  Loader loader(137, shuffled(workers), [&](int64_t, int64_t) { return plan; });
  loader.start(from.epoch, from.next_batch);
  return hashes_of(loader);
}

fs::path empty_folder(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  return folder;
}

TEST(SampleCache, CutsThePlanBeforeTheFirstOpThatDraws) {
  const Cached cached;
  const auto plan = cached.plan({});
  EXPECT_EQ(plan->fixed_steps, 1U);
  EXPECT_EQ(plan->fixed_values.size(), 3U);  // x, id and text
  EXPECT_EQ(plan->cache, nullptr);
}

TEST(SampleCache, GivesTheSameBitsForAnyWorkersAndRunsFixedOpsOnce) {
  const Cached cached;
  const auto expected = hashes(cached.plan({}), 0);
  for (const int workers : {0, 1, 4}) {
    cached.scale->runs = 0;
    const auto plan = cached.plan({.wanted = "memory", .memory_bytes = 1 << 20});
    EXPECT_EQ(hashes(plan, workers), expected) << workers << " workers";
    EXPECT_EQ(cached.scale->runs, 137);
    EXPECT_EQ(plan->cache->stored_samples(), 137);
  }
}

TEST(SampleCache, KeepsWhatFitsAndMakesTheRestAnew) {
  const Cached cached;
  const auto expected = hashes(cached.plan({}), 0);
  const auto plan = cached.plan({.wanted = "memory", .memory_bytes = 2000});
  EXPECT_EQ(hashes(plan, 2), expected);
  EXPECT_GT(plan->cache->stored_samples(), 0);
  EXPECT_LT(plan->cache->stored_samples(), 137);
}

TEST(SampleCache, OnDiskServesTheNextProcess) {
  const Cached cached;
  const CacheRequest request{.wanted = "disk", .folder = empty_folder("disk_cache")};
  const auto expected = hashes(cached.plan({}), 0);
  EXPECT_EQ(hashes(cached.plan(request), 2), expected);
  cached.scale->runs = 0;
  EXPECT_EQ(hashes(cached.plan(request), 1), expected);
  EXPECT_EQ(cached.scale->runs, 0);
  // Other options of a source, another file.
  CacheRequest other = request;
  other.source = "words: {size: 2}";
  EXPECT_EQ(hashes(cached.plan(other), 1), expected);
  EXPECT_EQ(cached.scale->runs, 137);
}

TEST(SampleCache, OnDiskGoesOnWithAnUnfinishedFile) {
  const Cached cached;
  const CacheRequest request{.wanted = "disk", .folder = empty_folder("unfinished_cache")};
  const auto expected = hashes(cached.plan({}), 0);
  {
    Loader loader(137, shuffled(0),
                  [plan = cached.plan(request)](int64_t, int64_t) { return plan; });
    for (int i = 0; i < 5; ++i) (void)loader.next();
  }
  cached.scale->runs = 0;
  const std::vector<std::string> rest(expected.begin() + 5, expected.end());
  EXPECT_EQ(hashes(cached.plan(request), 2, {0, 5}), rest);
  EXPECT_EQ(cached.scale->runs, 137 - 35);
}

fs::path only_file(const fs::path& folder, const std::string& ending) {
  for (const fs::path& path : list_folder(folder))
    if (path.string().ends_with(ending)) return path;
  return {};
}

TEST(SampleCache, OnDiskDoesNotTrustWhatWasNotClosedOrWasChanged) {
  const Cached cached;
  const CacheRequest request{.wanted = "disk", .folder = empty_folder("damaged_cache")};
  const auto expected = hashes(cached.plan({}), 0);
  make_folder(request.folder);
  EXPECT_EQ(hashes(cached.plan(request), 0), expected);
  const fs::path samples = only_file(request.folder, ".samples");
  ASSERT_FALSE(samples.empty());
  std::fstream(samples, std::ios::in | std::ios::out).seekp(200).write("damage", 6);
  cached.scale->runs = 0;
  EXPECT_EQ(hashes(cached.plan(request), 1), expected);
  EXPECT_EQ(cached.scale->runs, 3) << "one record is wrong, and made anew in each epoch";
  fs::resize_file(samples, 1000);
  EXPECT_EQ(hashes(cached.plan(request), 1), expected);
  fs::resize_file(only_file(request.folder, ".index"), 100);
  fs::rename(samples, samples.parent_path() / (samples.stem().string() + ".part"));
  EXPECT_EQ(hashes(cached.plan(request), 2), expected);
  EXPECT_FALSE(only_file(request.folder, ".samples").empty());
}

TEST(SampleCache, IsNotSharedByTwoWriters) {
  const Cached cached;
  const CacheRequest request{.wanted = "disk", .folder = empty_folder("shared_cache")};
  const auto first = cached.plan(request);
  const auto second = cached.plan(request);
  first->cache->open();
  EXPECT_EQ(hashes(second, 1), hashes(cached.plan({}), 0));
  EXPECT_EQ(second->cache->stored_samples(), 0);
}

TEST(CacheChoice, ShowsItsArithmetic) {
  const Chain chain(std::make_shared<CountingSource>(1000), Ops{std::make_shared<Scale>()},
                    {"x", "id"});
  const auto text = [&](const std::string& wanted, int64_t memory) {
    return choose_cache({.wanted = wanted, .memory_bytes = memory, .folder = "/proc/none"},
                        *chain.made())
        .text;
  };
  EXPECT_EQ(text("auto", 1 << 20),
            "in memory: 1,000 samples x 32 B after op0 = 31.2 KiB, of at most 1.0 MiB");
  EXPECT_EQ(text("auto", 100),
            "none: 1,000 samples x 32 B after op0 = 31.2 KiB, more than 100 B of memory and half "
            "of the 0 B that are free on disk");
  EXPECT_EQ(text("none", 100), "");
}

}  // namespace
}  // namespace hearth
