// Any batch of any epoch is the same, whoever asks for it: workers, cache, order and place do not
// matter.
#include <gtest/gtest.h>

#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/cache_choice.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/sources/synthetic.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::hash_of;
using testing_data::Ops;

constexpr int64_t kSamples = 211;
constexpr int64_t kEpochs = 3;

struct Row {
  int workers;
  std::string cache;
  LastBatch last_batch;
};

const std::vector<Row> kRows = {{0, "none", LastBatch::kKeep},   {1, "none", LastBatch::kKeep},
                                {2, "none", LastBatch::kKeep},   {4, "none", LastBatch::kKeep},
                                {0, "memory", LastBatch::kKeep}, {1, "memory", LastBatch::kKeep},
                                {2, "memory", LastBatch::kKeep}, {4, "memory", LastBatch::kKeep},
                                {2, "disk", LastBatch::kKeep},   {0, "memory", LastBatch::kPad},
                                {4, "memory", LastBatch::kPad}};

std::shared_ptr<Source> pictures() {
  const auto choice = sources::synthetic({.size = kSamples, .shape = {1, 6, 6}, .classes = 3});
  return registry<Source>().make(choice);
}

std::shared_ptr<const DataPlan> plan_with(const std::string& cache) {
  const Chain chain(pictures(),
                    Ops{registry<SampleOp>().make(sample_ops::normalize({.key = "image"})),
                        registry<SampleOp>().make(sample_ops::random_shift({.key = "image"}))},
                    {"image", "label"}, {"normalize", "random_shift"});
  auto plan = std::make_shared<DataPlan>(*chain.made());
  const CacheRequest request{.wanted = cache,
                             .memory_bytes = 20'000,  // for a part of them
                             .folder = fs::path(testing::TempDir()) / "resume_cache"};
  plan->cache = make_cache(request, choose_cache(request, *plan), *plan);
  return plan;
}

LoaderOptions options_of(const Row& row) {
  LoaderOptions options{.name = "train", .batch_size = 16, .workers = row.workers, .depth = 3};
  options.seed = 11;
  options.shuffle = true;
  options.last_batch = row.last_batch;
  options.epochs = kEpochs;
  return options;
}

std::vector<std::string> rows_from(const Row& row, const std::shared_ptr<const DataPlan>& plan,
                                   const LoaderState& state) {
  Loader loader(kSamples, options_of(row), [&](int64_t, int64_t) { return plan; });
  loader.restore(state);
  std::vector<std::string> hashes;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    hashes.push_back(hash_of(batch));
  return hashes;
}

TEST(Resume, AtAHundredPlacesGivesTheSameBatchesForAnyWorkersAndCache) {
  Random random({.seed = 5});
  for (const LastBatch last : {LastBatch::kKeep, LastBatch::kPad}) {
    const auto expected = rows_from({0, "none", last}, plan_with("none"), {});
    for (const Row& row : kRows) {
      if (row.last_batch != last) continue;
      const auto plan = plan_with(row.cache);
      for (int place = 0; place < 100; ++place) {
        const int64_t at = random.between(0, static_cast<int64_t>(expected.size()) - 1);
        const int64_t per_epoch = static_cast<int64_t>(expected.size()) / kEpochs;
        const std::vector<std::string> rest(expected.begin() + at, expected.end());
        ASSERT_EQ(rows_from(row, plan, {at / per_epoch, at % per_epoch}), rest)
            << row.workers << " workers, cache " << row.cache << ", batch " << at;
      }
    }
  }
}

}  // namespace
}  // namespace hearth
