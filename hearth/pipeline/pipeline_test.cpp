// Batches without a trainer: whole epochs, single ones, another source.
#include "hearth/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/data/batch_ops/pad_longest.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/ops/meta/drop.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/synthetic.h"

namespace hearth {
namespace {

using testing_data::hash_of;

DataOptions digits_options() {
  DataOptions options;
  options.train = sources::synthetic({.size = 50, .shape = {1, 6, 6}, .classes = 3});
  options.eval = sources::synthetic({.size = 9, .shape = {1, 6, 6}, .classes = 3, .seed = 1});
  options.batch_size = 8;
  options.ops = {sample_ops::normalize({.key = "image"}),
                 sample_ops::random_shift({.key = "image", .pixels = 1}).when(Mode::kTrain)};
  return options;
}

TEST(Pipeline, GivesAnEpochsBatchesInOrderAndByNumber) {
  Pipeline pipeline(digits_options(), {.seed = 5});
  const PipelineBatches batches = pipeline.batches(Mode::kTrain, 2);
  ASSERT_EQ(batches.size(), 7);
  int64_t number = 0;
  for (const PipelineBatch& batch : batches) {
    EXPECT_EQ(hash_of(batch.host()), hash_of(batches.batch(number).host()));
    EXPECT_EQ(batch.as<float>("image").size(), static_cast<size_t>(batch.rows() * 36));
    ++number;
  }
  EXPECT_EQ(number, 7);
  EXPECT_EQ(hash_of(batches.from(3)->host()), hash_of(batches.batch(3).host()));
  EXPECT_NE(hash_of(pipeline.batches(Mode::kTrain, 1).batch(3).host()),
            hash_of(batches.batch(3).host()));
}

TEST(Pipeline, TakesAnotherSourceOfTheSameSpecs) {
  Pipeline pipeline(digits_options());
  pipeline.use_source(
      Mode::kEval,
      registry<Source>().make(sources::synthetic({.size = 4, .shape = {1, 6, 6}, .classes = 3})));
  EXPECT_EQ(pipeline.batches(Mode::kEval).size(), 1);
  EXPECT_EQ(message_of<GraphError>([&] {
              pipeline.use_source(
                  Mode::kEval,
                  registry<Source>().make(sources::synthetic({.size = 4, .shape = {1, 5, 5}})));
            }),
            "the source yields 'image' as float32 [B, 1, 5, 5], but data.eval yields it as float32 "
            "[B, 1, 6, 6]. Both must be alike.");
}

TEST(Pipeline, ShowsASampleAsText) {
  DataOptions options;
  options.train = sources::digits({.split = "test"});
  Pipeline pipeline(options);
  const std::string text = pipeline.show(3);
  EXPECT_NE(text.find("image uint8 [B, 8, 8, 1]"), std::string::npos) << text;
  EXPECT_NE(text.find("label int64 [B], 10 classes: "), std::string::npos) << text;
  EXPECT_THROW((void)pipeline.show(-1), DataError);
}

TEST(Pipeline, SaysWhatIsNotThere) {
  Pipeline pipeline(digits_options());
  EXPECT_EQ(message_of<DataError>([&] { (void)pipeline.batches().batch(0).row("imag", 0); }),
            "the batch has no key 'imag'. Did you mean 'image'?");
  EXPECT_THROW((void)pipeline.batches(Mode::kTest), ConfigError);
  EXPECT_THROW((void)pipeline.batches().batch(7), DataError);
}

TEST(Pipeline, SaysAtTheOrdersLineWhatDoesNotFitIt) {
  const auto fault = [](const std::string& order) {
    const std::string text =
        "train: {digits: {split: test}}\nbatch_size: 30\norder:\n  " + order + "\n";
    const DataOptions options = DataOptions::schema().read(parse_yaml(text, "data.yaml"));
    return message_of<Error>([&] { (void)Pipeline(options).batches(); });
  };
  EXPECT_TRUE(fault("pk: {instances: 4}").starts_with("data.yaml:4:"))
      << fault("pk: {instances: 4}");
  EXPECT_TRUE(fault("pk: {key: lable}").starts_with("data.yaml:4:")) << fault("pk: {key: lable}");
}

TEST(Pipeline, LetsOpsLearnFromTheTrainingData) {
  const auto batch_of = [](const std::string& ops, Mode mode) {
    const std::string text =
        "train: {csv: {file: examples/houses.csv, target: price}}\n"
        "eval: {subset: {of: {csv: {file: examples/houses.csv, target: price}}, until: 9}}\n"
        "ops: [" +
        ops + "]";
    fs::current_path(HEARTH_SOURCE_DIR);
    Pipeline pipeline(DataOptions::schema().read(parse_yaml(text, "data.yaml")));
    const PipelineBatch batch = pipeline.batches(mode).batch(0);
    const auto values = batch.as<float>("features");
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> raw = batch_of("impute: {by: constant, values: 0}", Mode::kEval);
  const std::vector<float> learned = batch_of("standardize, {impute: {by: median}}", Mode::kEval);
  ASSERT_EQ(learned.size(), raw.size());
  EXPECT_NE(learned, raw);
  for (const float value : learned) EXPECT_LT(std::abs(value), 10) << value;
}

TEST(Pipeline, LeavesOutWhatWasDropped) {
  DataOptions options = digits_options();
  options.ops.push_back(sample_ops::drop({.keys = {"label"}}));
  Pipeline pipeline(options, {});
  ASSERT_EQ(pipeline.keys(Mode::kTrain).size(), 1U);
  EXPECT_EQ(pipeline.keys(Mode::kTrain)[0].key, "image");
}

TEST(Pipeline, StopsBeforeTheFirstOpThatDrawsWhenAsked) {
  Pipeline pipeline(digits_options(), {.only_fixed_ops = true});
  EXPECT_EQ(pipeline.batches().batch(0).host().plan().steps.size(), 1U);
}

}  // namespace
}  // namespace hearth
