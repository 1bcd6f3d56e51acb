// Values of any size through the whole loader, and batch ops on what it makes.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/batch_ops/mixup.h"
#include "hearth/data/batch_ops/pad_longest.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/pad_to.h"

namespace hearth {
namespace {

using testing_data::BatchOps;
using testing_data::Chain;
using testing_data::hashes_of;
using testing_data::Ops;

// Sample i is the tokens i, i, ... of which there are i % 7.
class Lines : public Source {
 public:
  explicit Lines(int64_t size) : size_(size) {}
  std::vector<KeySpec> keys() const override {
    return {{"tokens", {.dtype = DType::kInt64, .shape = {kAnyLength}, .role = Role::kTokens}},
            {"label", {.dtype = DType::kInt64, .classes = 3, .role = Role::kClass}}};
  }
  int64_t size() const override { return size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted())
      for (int64_t& token : cells[0].take({index % 7}).as<int64_t>()) token = index;
    if (cells[1].is_wanted()) cells[1].set(index % 3);
  }
  std::string fingerprint() const override { return "lines"; }
  std::string describe(int64_t index) const override {
    return "lines[" + std::to_string(index) + "]";
  }

 private:
  int64_t size_;
};

std::shared_ptr<const BatchOp> made(const Choice<BatchOp>& choice) {
  return registry<BatchOp>().make(choice);
}
std::shared_ptr<const SampleOp> made(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

LoaderOptions options_with(int workers) {
  LoaderOptions options{.name = "train", .batch_size = 8, .workers = workers, .depth = 3};
  options.shuffle = true;
  options.epochs = 2;
  return options;
}

Chain padded_chain(int64_t size) {
  return {std::make_shared<Lines>(size),
          {},
          {"tokens", "mask", "length", "label"},
          {"pad_longest"},
          BatchOps{made(batch_ops::pad_longest({.fill = -1, .mask = "mask", .length = "length"}))}};
}

TEST(PadLongest, FillsUpToTheLongestOfTheBatch) {
  const Chain chain = padded_chain(20);
  LoaderOptions options = options_with(0);
  options.shuffle = false;
  Loader loader(20, options, chain.every_epoch());
  const HostBatch batch = loader.next();  // lengths 0 to 6 and 0
  const int tokens = chain.newest("tokens");
  EXPECT_EQ(batch.shape(tokens)[0], 6);
  EXPECT_EQ(batch.spec(tokens).text(), "int64 [B, ?]");
  const auto row = batch.row(tokens, 4).as<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(row.begin(), row.end()),
            (std::vector<int64_t>{4, 4, 4, 4, -1, -1}));
  const auto mask = batch.row(chain.newest("mask"), 4).as<bool>();
  EXPECT_EQ(std::vector<bool>(mask.begin(), mask.end()),
            (std::vector<bool>{true, true, true, true, false, false}));
  EXPECT_EQ(batch.row(chain.newest("length"), 6).as<int64_t>()[0], 6);
  EXPECT_EQ(batch.row(chain.newest("length"), 7).as<int64_t>()[0], 0);
}

TEST(PadLongest, MakesLengthsMultiples) {
  const Chain chain(std::make_shared<Lines>(8), {}, {"tokens"}, {"pad_longest"},
                    BatchOps{made(batch_ops::pad_longest({.multiple_of = 8}))});
  Loader loader(8, options_with(0), chain.every_epoch());
  EXPECT_EQ(loader.next().shape(chain.newest("tokens"))[0], 8);
}

TEST(Loader, GivesTheSameRaggedBatchesForAnyWorkers) {
  const Chain chain = padded_chain(50);
  Loader plain(50, options_with(0), chain.every_epoch());
  const auto expected = hashes_of(plain);
  ASSERT_EQ(expected.size(), 14U);
  for (const int workers : {1, 2, 4, 8}) {
    Loader loader(50, options_with(workers), chain.every_epoch());
    EXPECT_EQ(hashes_of(loader), expected) << workers;
  }
}

TEST(Loader, CountsTheMemoryOfRaggedValuesAndSaysItsBound) {
  const Chain chain = padded_chain(50);
  Loader loader(50, options_with(2), chain.every_epoch());
  (void)hashes_of(loader);
  EXPECT_GT(loader.ragged_bytes(), 0);
  const auto plan = chain.every_epoch()(0, 0);
  EXPECT_EQ(plan->ragged_values, 0);
  EXPECT_EQ(plan->ragged_columns, 1);  // each row's tokens
  EXPECT_EQ(plan->whole_values, 2);    // padded tokens and mask
  const int64_t most = Loader::most_ragged_bytes(options_with(2), *plan);
  EXPECT_EQ(most, int64_t{5 * (8 + 2)} * (64 << 20));
  EXPECT_LE(loader.ragged_bytes(), most);
}

TEST(Loader, NamesTheSampleWhoseValueIsTooLarge) {
  const Chain chain(std::make_shared<Lines>(50), {}, {"tokens"}, {"pad_longest"},
                    BatchOps{made(batch_ops::pad_longest())});
  LoaderOptions options = options_with(2);
  options.shuffle = false;
  options.most_bytes_per_value = 40;
  Loader loader(50, options, chain.every_epoch());
  EXPECT_EQ(message_of<DataError>([&] { (void)hashes_of(loader); }),
            "data error at train[6] (lines[6]): source: a value of 48 B is beyond the limit of 40 "
            "B. Make it smaller, or raise data.value_megabytes.");
}

TEST(Loader, NamesTheBatchWhoseBatchOpFails) {
  const Chain chain(std::make_shared<Lines>(50), {}, {"tokens"}, {"pad_longest"},
                    BatchOps{made(batch_ops::pad_longest({.multiple_of = 8}))});
  for (const int workers : {0, 1, 4}) {
    LoaderOptions options = options_with(workers);
    options.shuffle = false;
    options.most_bytes_per_value = 256;
    Loader loader(50, options, chain.every_epoch());
    EXPECT_EQ(message_of<DataError>([&] { (void)hashes_of(loader); }),
              "data error at train, batch 0 of epoch 0: op 'pad_longest': a value of 512 B is "
              "beyond the limit of 256 B. Make it smaller, or raise data.value_megabytes.");
  }
}

TEST(PadTo, MakesRaggedValuesRowsOfTheBatch) {
  const Chain chain(std::make_shared<Lines>(20),
                    Ops{made(sample_ops::pad_to({.size = {6}, .mask = "mask"}))},
                    {"tokens", "mask"});
  EXPECT_EQ(chain.made()->ragged_values, 1);
  LoaderOptions options = options_with(0);
  options.shuffle = false;
  Loader loader(20, options, chain.every_epoch());
  const HostBatch batch = loader.next();
  const auto row = batch.row(chain.newest("tokens"), 2).as<int64_t>();
  EXPECT_EQ(std::vector<int64_t>(row.begin(), row.end()), (std::vector<int64_t>{2, 2, 0, 0, 0, 0}));
}

TEST(PadTo, StopsAtOrCutsWhatIsTooLong) {
  const Chain strict(std::make_shared<Lines>(8), Ops{made(sample_ops::pad_to({.size = {5}}))},
                     {"tokens"}, {"pad_to"});
  Loader failing(8, options_with(0), strict.every_epoch());
  EXPECT_EQ(message_of<DataError>([&] { (void)failing.next(); }),
            "data error at train[6] (lines[6]): op 'pad_to': is 6 long, more than the size of 5. "
            "Use a larger size, or too_long: cut.");
  const Chain cut(std::make_shared<Lines>(8),
                  Ops{made(sample_ops::pad_to({.size = {5}, .too_long = "cut"}))}, {"tokens"});
  Loader loader(8, options_with(0), cut.every_epoch());
  EXPECT_EQ(loader.next().row(cut.newest("tokens"), 0).as<int64_t>().size(), 5U);
}

TEST(Padding, FillsWithWhatTheKeyCanHold) {
  const Spec tokens{
      .dtype = DType::kInt64, .shape = {kAnyLength}, .classes = 257, .role = Role::kTokens};
  const auto fault = [](const auto& choice, const Spec& spec) {
    return message_of<GraphError>([&] { (void)made(choice)->infer({spec}); });
  };
  EXPECT_EQ(fault(sample_ops::pad_to({.size = {5}, .fill = 1e12}), tokens),
            "pad_to: fill must be a whole number from 0 to 256 for key 'tokens', int64 [B, ?], 257 "
            "classes, but is 1e+12.");
  EXPECT_EQ(fault(batch_ops::pad_longest({.fill = -1}), tokens),
            "pad_longest: fill must be a whole number from 0 to 256 for key 'tokens', int64 [B, "
            "?], 257 classes, but is -1.");
  const Spec bytes{.dtype = DType::kUint8, .shape = {kAnyLength}};
  EXPECT_EQ(fault(batch_ops::pad_longest({.fill = 0.5}), bytes),
            "pad_longest: fill must be a whole number from 0 to 255 for key 'tokens', uint8 [B, "
            "?], but is 0.5.");
  const Spec labels{
      .dtype = DType::kInt64, .shape = {kAnyLength}, .classes = 3, .role = Role::kClass};
  EXPECT_NO_THROW((void)made(batch_ops::pad_longest({.fill = -100}))->infer({labels}));
  const Spec numbers{.shape = {kAnyLength}};
  EXPECT_NO_THROW((void)made(batch_ops::pad_longest({.fill = 0.5}))->infer({numbers}));
}

// `x`: four floats that tell the sample; `label`: one of 3 classes.
class Labelled : public testing_data::CountingSource {
 public:
  using CountingSource::CountingSource;
  std::vector<KeySpec> keys() const override {
    return {{"x", {.shape = {4}}},
            {"label", {.dtype = DType::kInt64, .classes = 3, .role = Role::kClass}}};
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted())
      for (float& value : cells[0].as<float>()) value = static_cast<float>(index);
    if (cells[1].is_wanted()) cells[1].set(index % 3);
  }
};

TEST(Mixup, BlendsRowsAndLabelsFromBothEnds) {
  const Chain chain(std::make_shared<Labelled>(5), {}, {"x", "label"}, {"mixup"},
                    BatchOps{made(batch_ops::mixup({.key = "x", .alpha = 1}))});
  LoaderOptions options = options_with(0);
  options.shuffle = false;
  Loader loader(5, options, chain.every_epoch());
  const HostBatch batch = loader.next();
  const float first = batch.row(chain.newest("x"), 0).as<float>()[0];
  const float share = 1 - first / 4;  // of row 0, which is 0, with row 4
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  EXPECT_FLOAT_EQ(batch.row(chain.newest("x"), 4).as<float>()[3], 4 * share);
  EXPECT_EQ(batch.row(chain.newest("x"), 2).as<float>()[0], 2);
  const auto label = batch.row(chain.newest("label"), 0).as<float>();
  EXPECT_FLOAT_EQ(label[0], share);
  EXPECT_FLOAT_EQ(label[1], 1 - share);
  EXPECT_EQ(label[2], 0);
  EXPECT_EQ(chain.made()->fields.size(), 2U + 1U);  // x in place; class numbers and shares
}

TEST(Mixup, DrawsDependOnSeedEpochAndBatchOnly) {
  const Chain chain(std::make_shared<Labelled>(64), {}, {"x", "label"}, {"mixup"},
                    BatchOps{made(batch_ops::mixup({.key = "x", .alpha = 0.2}))});
  LoaderOptions options = options_with(0);
  Loader plain(64, options, chain.every_epoch());
  const auto expected = hashes_of(plain);
  for (const int workers : {1, 4}) {
    Loader loader(64, options_with(workers), chain.every_epoch());
    EXPECT_EQ(hashes_of(loader), expected);
    loader.restore({.epoch = 1, .next_batch = 3});
    EXPECT_EQ(testing_data::hash_of(loader.next()), expected[8 + 3]);
  }
  options.seed = 5;
  Loader other(64, options, chain.every_epoch());
  EXPECT_NE(hashes_of(other)[0], expected[0]);
}

TEST(Mixup, SaysWhatItNeeds) {
  const auto op = made(batch_ops::mixup());
  const Spec bytes{.dtype = DType::kUint8, .shape = {8, 8, 1}, .role = Role::kImage};
  const Spec label{.dtype = DType::kInt64, .classes = 3, .role = Role::kClass};
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)op->infer({bytes, label});
            }),
            "mixup: key 'image' must be float32 of one size, but is uint8 [B, 8, 8, 1]. Put "
            "normalize into data.ops; it turns bytes into floats.");
  EXPECT_THROW((void)op->infer({Spec{.shape = {3}}, Spec{.shape = {3}}}), GraphError);
}

}  // namespace
}  // namespace hearth
