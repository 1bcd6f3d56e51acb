// Order, pixels and augmentation are the same for any number of workers, wherever a run goes on,
// and however many ranks share the batches.
#include <gtest/gtest.h>

#include "hearth/base/digest.h"
#include "hearth/base/files.h"
#include "hearth/config/yaml.h"
#include "hearth/core/random.h"
#include "hearth/pipeline/pipeline.h"

namespace hearth {
namespace {

constexpr int64_t kEpochs = 2;
constexpr uint64_t kSeed = 11;
constexpr int kPlaces = 100;

struct Case {
  const char* name;
  const char* data;  // YAML; paths start at the root of Hearth's tree
};

const std::vector<Case> kCases = {{"Pictures", R"(
train: {image_folder: {folder: examples/scenes/eval/pictures}}
batch_size: 8
ops:
  - decode
  - random_resized_crop: {size: 24, scale: [0.3, 1]}
  - flip
  - rand_augment
  - color_jitter: {brightness: 0.3, hue: 0.1}
  - random_erasing
  - normalize)"},
                                  {"BoxesAndMasks", R"(
train: {coco: {images: examples/scenes/eval/pictures, annotations: examples/scenes/eval/boxes.json}}
batch_size: 7
ops:
  - decode
  - affine: {keys: [image, boxes, labels], degrees: 20, translate: 0.2, scale: [0.8, 1.5]}
  - elastic: {keys: [image, boxes, labels]})"},
                                  {"Mixed", R"(
train: {digits: {split: test}}
batch_size: 50
order: {bucketed: {key: label, window: 3}}
last_batch: pad
ops: [normalize, {random_shift: {pixels: 2}}, {noise: {key: image, amount: 0.1}}]
batch_ops: [mixup])"},
                                  {"Text", R"(
train: {text_lines: {file: examples/lines.txt, vocabulary: words}}
batch_size: 16
order: weighted
ops:
  - tokenize: {tokens: words, first: 2}
  - truncate: {key: tokens, length: 8, keep: random}
  - mask_tokens: {share: 0.3}
batch_ops: [{pad_longest: {key: tokens, mask: is_real}}])"},
                                  {"FewToABatch", R"(
train: {digits: {split: test}}
batch_size: 4
ops: [{random_crop: {keys: image, size: 8, padding: 1}}, {filter: {key: label, without: [3]}}])"},
                                  {"Sounds", R"(
train: {mix: {of: [{wav_folder: {folder: examples/sounds/eval}}, {wav_folder: {folder: examples/sounds/eval}}]}}
batch_size: 5
last_batch: drop
ops: [{truncate: {key: sound, length: 256, keep: random}}, {mel: {bands: 8, size: 64, hop: 32}}])"}};

DataOptions options_of(const Case& tried, int workers) {
  fs::current_path(HEARTH_SOURCE_DIR);
  DataOptions options = DataOptions::schema().read(parse_yaml(tried.data, tried.name));
  options.workers = workers;
  return options;
}

using Rows = std::vector<std::string>;

// A digest for each row that counts: its sample and all its values with their shapes.
void add_rows(const PipelineBatch& batch, const std::vector<KeySpec>& keys, Rows& rows) {
  for (int64_t row = 0; row < batch.real_rows(); ++row) {
    Sha256 digest;
    digest.add(std::as_bytes(batch.samples().subspan(static_cast<size_t>(row), 1)));
    for (const KeySpec& key : keys) {
      const View view = batch.row(key.key, row);
      digest.add(std::as_bytes(view.shape));
      digest.add(std::span<const std::byte>(
          view.data, view.elements() * static_cast<size_t>(size_of(view.spec->dtype))));
    }
    rows.push_back(digest.finish_hex());
  }
}

// A case's data as one of several ranks.
class Part {
 public:
  Part(const Case& tried, int workers, int rank, int ranks)
      : pipeline_(options_of(tried, workers), {.seed = kSeed, .rank = rank, .ranks = ranks}),
        keys_(pipeline_.keys(Mode::kTrain)) {
    for (int64_t epoch = 0; epoch < kEpochs; ++epoch)
      epochs_.push_back(pipeline_.batches(Mode::kTrain, epoch));
  }

  [[nodiscard]] int64_t batches() const { return epochs_[0].size(); }
  // Goes on at a batch, and adds the rows of that one and of the next.
  void add_from(int64_t epoch, int64_t batch, std::vector<Rows>& found) const {
    auto at = epochs_[static_cast<size_t>(epoch)].from(batch);
    for (Rows& rows : found) {
      ASSERT_FALSE(at->is_empty());
      add_rows(*at, keys_, rows);
      ++at;
    }
  }
  [[nodiscard]] std::vector<Rows> all() const {
    std::vector<Rows> found;
    for (const PipelineBatches& epoch : epochs_)
      for (const PipelineBatch& batch : epoch) add_rows(batch, keys_, found.emplace_back());
    return found;
  }

 private:
  Pipeline pipeline_;
  std::vector<KeySpec> keys_;
  std::vector<PipelineBatches> epochs_;
};

class Exactness : public testing::TestWithParam<Case> {};

TEST_P(Exactness, HoldsForAnyWorkersAtAHundredPlacesAndForOneTwoAndFourRanks) {
  const std::vector<Rows> expected = Part(GetParam(), 0, 0, 1).all();
  const auto per_epoch = static_cast<int64_t>(expected.size()) / kEpochs;
  ASSERT_GE(per_epoch, 2);
  std::vector<std::vector<Part>> settings;  // each with all its ranks
  for (const int ranks : {1, 2, 4})
    for (const int workers : {0, 1, 2, 4}) {
      std::vector<Part>& parts = settings.emplace_back();
      for (int rank = 0; rank < ranks; ++rank) {
        parts.emplace_back(GetParam(), workers, rank, ranks);
        ASSERT_EQ(parts.back().batches(), per_epoch);
      }
      if (ranks > 1) continue;
      ASSERT_EQ(parts[0].all(), expected) << workers << " workers";
    }
  Random random({.seed = 5});
  for (int place = 0; place < kPlaces; ++place) {
    const int64_t at = random.between(0, static_cast<int64_t>(expected.size()) - 1);
    const int64_t batch = at % per_epoch;
    const auto setting = static_cast<size_t>(place) % settings.size();
    std::vector<Rows> found(batch + 1 < per_epoch ? 2 : 1);
    for (const Part& part : settings[setting]) part.add_from(at / per_epoch, batch, found);
    const std::vector<Rows> wanted(expected.begin() + at,
                                   expected.begin() + at + static_cast<int64_t>(found.size()));
    ASSERT_EQ(found, wanted) << "setting " << setting << ", batch " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, Exactness, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Ranks, WithoutARowOfABatchGetOneThatCountsNothing) {
  const Case tried{"Few", "{train: {digits: {split: test}}, batch_size: 6, ops: [normalize]}"};
  int64_t counted = 0;
  for (int rank = 0; rank < 5; ++rank) {
    Pipeline pipeline(options_of(tried, 0), {.rank = rank, .ranks = 5});
    const PipelineBatches batches = pipeline.batches();
    const PipelineBatch last = batches.batch(batches.size() - 1);
    EXPECT_EQ(last.rows(), 1);
    counted += last.real_rows();
  }
  EXPECT_EQ(counted, Pipeline(options_of(tried, 0)).source(Mode::kTrain).size() % 6);
  EXPECT_LT(counted, 5);
}

}  // namespace
}  // namespace hearth
