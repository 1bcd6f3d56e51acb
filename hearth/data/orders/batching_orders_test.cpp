// Orders that look at the samples: by length, by identity, by how hard they are.
#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/orders/bucketed.h"
#include "hearth/data/orders/curriculum.h"
#include "hearth/data/orders/pk.h"

namespace hearth {
namespace {

using testing_data::CountingSource;

// A text of one to forty letters, a person with one to nine samples, a score.
class Described : public CountingSource {
 public:
  using CountingSource::CountingSource;
  static int64_t length_of(int64_t id) { return 1 + id * 7919 % 40; }
  static int64_t person_of(int64_t id) { return id % 10 == 0 ? 1000 + id : id / 10; }
  std::vector<KeySpec> keys() const override {
    return {{"text", {.dtype = DType::kUint8, .shape = {kAnyLength}}},
            {"person", {.dtype = DType::kInt64}},
            {"score", {.dtype = DType::kFloat32}},
            {"x", {.shape = {4}}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) (void)cells[0].take({length_of(index)});
    if (cells[1].is_wanted()) cells[1].set(person_of(index));
    if (cells[2].is_wanted())
      cells[2].set(broken_score && index == 3 ? std::numeric_limits<float>::quiet_NaN()
                                              : static_cast<float>(-index));
    if (cells[3].is_wanted()) ++x_reads;
  }
  bool broken_score = false;
};

using Batches = std::vector<std::vector<int64_t>>;

Batches batches_of(const EpochOrder& epoch) {
  Batches batches;
  for (int64_t batch = 0; batch < epoch.batches(); ++batch) {
    batches.emplace_back();
    for (int64_t row = 0; row < epoch.rows(batch); ++row)
      batches.back().push_back(epoch.sample(batch, row));
  }
  return batches;
}

Batches batches_of(const Choice<Order>& choice, const OrderRequest& request) {
  const auto order = registry<Order>().make(choice);
  const Described source(request.samples);
  order->open(source);
  EXPECT_EQ(source.x_reads, 0);
  return batches_of(*order->epoch(request));
}

std::vector<int64_t> sorted(const Batches& batches) {
  std::vector<int64_t> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::string fault_of(const Choice<Order>& choice, const OrderRequest& request) {
  return message_of<Error>([&] { (void)batches_of(choice, request); });
}

TEST(Bucketed, GivesEverySampleOnceForAnySize) {
  for (int64_t samples = 1; samples < 120; ++samples)
    for (const int64_t window : {1, 3, 1000}) {
      const auto all = sorted(batches_of(orders::bucketed({.key = "text", .window = window}),
                                         {.samples = samples, .batch_size = 8, .seed = 2}));
      ASSERT_EQ(static_cast<int64_t>(all.size()), samples);
      for (int64_t i = 0; i < samples; ++i) ASSERT_EQ(all[static_cast<size_t>(i)], i);
    }
}

TEST(Bucketed, BatchesHaveSimilarLengthsInAnotherOrderEveryEpoch) {
  const auto choice = orders::bucketed({.key = "text", .window = 2});
  OrderRequest request{.samples = 1003, .batch_size = 10, .seed = 1};
  const Batches first = batches_of(choice, request);
  EXPECT_EQ(first.back().size(), 3U);
  int64_t padding = 0;
  for (const auto& batch : first) {
    int64_t longest = 0;
    for (const int64_t id : batch) longest = std::max(longest, Described::length_of(id));
    for (const int64_t id : batch) padding += longest - Described::length_of(id);
  }
  EXPECT_LT(padding, 1003 * 2);
  request.epoch = 1;
  const Batches second = batches_of(choice, request);
  EXPECT_NE(first, second);
  EXPECT_NE(sorted({first.back()}), sorted({second.back()}));
}

TEST(Bucketed, SaysWhatDoesNotFit) {
  EXPECT_EQ(fault_of(orders::bucketed({.key = "x"}), {.samples = 5}),
            "order bucketed: key 'x' must hold values of different lengths, or one whole number, "
            "but is float32 [B, 4].");
}

TEST(Pk, FillsBatchesWithDistinctIdentitiesAndInstances) {
  const auto choice = orders::pk({.key = "person", .instances = 4, .least = 2});
  const Batches batches =
      batches_of(choice, {.samples = 500, .batch_size = 32, .seed = 1, .epoch = 2});
  EXPECT_EQ(batches.size(), 15U);
  std::map<int64_t, int64_t> often;
  for (const auto& batch : batches) {
    std::map<int64_t, std::set<int64_t>> of_person;
    for (const int64_t id : batch) of_person[Described::person_of(id)].insert(id);
    EXPECT_EQ(of_person.size(), 8U);
    for (const auto& [person, ids] : of_person) {
      EXPECT_EQ(ids.size(), 4U);
      ++often[person];
    }
  }
  for (const auto& [person, times] : often) EXPECT_LE(times, 3) << person;
}

TEST(Pk, RepeatsSamplesOfAnIdentityWithFewOfThem) {
  const Batches batches =
      batches_of(orders::pk({.key = "person", .instances = 2}), {.samples = 20, .batch_size = 8});
  for (const auto& batch : batches) EXPECT_EQ(batch.size(), 8U);
}

TEST(Pk, SaysWhatDoesNotFit) {
  const auto choice = orders::pk({.key = "person", .instances = 4, .least = 2});
  EXPECT_EQ(fault_of(choice, {.samples = 50, .batch_size = 30}),
            "order pk: a batch of 30 cannot hold 4 instances of each identity. Make batch_size a "
            "multiple of instances.");
  EXPECT_EQ(fault_of(choice, {.samples = 50, .batch_size = 32}),
            "order pk: a batch of 32 with 4 instances of each identity needs 8 identities, but "
            "there are 5 with at least 2 samples. Lower batch_size, or raise instances.");
}

// Samples of higher numbers have lower scores.
std::set<int64_t> drawn_in(int64_t epoch, orders::CurriculumOptions options) {
  options.key = "score";
  const auto all = sorted(
      batches_of(orders::curriculum(options), {.samples = 100, .batch_size = 8, .epoch = epoch}));
  EXPECT_EQ(all.size(), 100U);
  return {all.begin(), all.end()};
}

TEST(Curriculum, DrawsOnTheEasiestShareWhichGrows) {
  const orders::CurriculumOptions options{.start = 0.2, .from = epochs(1), .until = epochs(5)};
  EXPECT_EQ(drawn_in(0, options).size(), 20U);
  EXPECT_EQ(*drawn_in(1, options).begin(), 80);
  EXPECT_EQ(drawn_in(3, options).size(), 60U);
  EXPECT_EQ(drawn_in(5, options).size(), 100U);
  EXPECT_EQ(drawn_in(50, options).size(), 100U);
  EXPECT_EQ(*drawn_in(0, {.easy = "high", .start = 0.01}).begin(), 0);
  EXPECT_GT(drawn_in(2, {.pace = "root"}).size(), drawn_in(2, {}).size());
}

TEST(Curriculum, TakesScoresFromAFileAndSaysWhatDoesNotFit) {
  const std::string file = testing::TempDir() + "scores.csv";
  std::ofstream(file) << "score\n3\n1\n2\n";
  const auto choice = orders::curriculum({.file = file, .start = 0.3});
  EXPECT_EQ(sorted(batches_of(choice, {.samples = 3})), (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(fault_of(choice, {.samples = 4}),
            file + ": holds 3 scores, but the source has 4 samples. Write one line for each.");
  EXPECT_EQ(fault_of(orders::curriculum({}), {}),
            "order curriculum: needs 'key' or 'file', and not both.");
  EXPECT_EQ(fault_of(orders::curriculum({.key = "score", .until = percent(50)}), {}),
            "'from' and 'until' must be given in epochs, such as 10ep.");
  Described source(5);
  source.broken_score = true;
  const auto order = registry<Order>().make(orders::curriculum({.key = "score"}));
  EXPECT_EQ(message_of<DataError>([&] { order->open(source); }),
            "order curriculum: the score of counting[3] is not a number.");
}

}  // namespace
}  // namespace hearth
