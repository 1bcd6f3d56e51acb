// Predictions from raw values by key: the same as evaluation's, from any thread, compiled once.
#include "hearth/train/predictor.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/softmax.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <thread>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/ops/pad_to.h"
#include "hearth/data/ops/text/byte_tokens.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/sources/image_folder.h"
#include "hearth/data/sources/shapes.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/data/sources/text_lines.h"
#include "hearth/format/png.h"
#include "hearth/network/network.h"
#include "hearth/network/ops/call.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/lenet.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/estimator.h"

namespace hearth {
namespace {

using testing::HasSubstr;

ExperimentOptions digits_experiment(Choice<Layer> model = layers::lenet()) {
  ExperimentOptions options;
  options.name = "predicted";
  options.folder = (std::filesystem::path(testing::TempDir()) / "predictor_runs").string();
  options.data.train = sources::digits({.split = "train"});
  options.data.eval = sources::digits({.split = "test"});
  options.data.batch_size = 32;
  options.data.ops = {sample_ops::normalize({.key = "image"})};
  options.model = std::move(model);
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.train.epochs = 1;
  return options;
}

RawSample digit_sample(int seed) {
  RawNumbers numbers;
  for (int i = 0; i < 64; ++i) numbers.values.push_back(((i * 7 + seed * 13) % 17) / 16.0);
  return {"digit " + std::to_string(seed), {{"image", std::move(numbers)}}};
}

std::vector<RawSample> digit_samples(int count) {
  std::vector<RawSample> samples;
  for (int i = 0; i < count; ++i) samples.push_back(digit_sample(i));
  return samples;
}

std::vector<std::vector<double>> values_of(const std::vector<Prediction>& predictions) {
  std::vector<std::vector<double>> values;
  for (const Prediction& prediction : predictions) values.push_back(prediction.values());
  return values;
}

TEST(Predictor, GivesTheBitsOfTheNetworkItself) {
  Estimator estimator(digits_experiment(), {.keeps_run = false});
  (void)estimator.fit();
  const std::vector<RawSample> samples = digit_samples(5);
  std::vector<float> pixels;
  for (const RawSample& sample : samples)
    for (const double level : std::get<RawNumbers>(sample.values.at("image")).values)
      pixels.push_back(static_cast<float>(std::round(static_cast<float>(level) * 16.0) / 16.0));
  const at::Tensor images = at::from_blob(pixels.data(), {5, 1, 8, 8});
  const at::Tensor expected =
      estimator.network().run({{"image", images}}, {"probability"}).at("probability");
  const auto predictions = Predictor(estimator)(samples);
  for (int64_t row = 0; row < 5; ++row)
    for (int64_t k = 0; k < 10; ++k)
      EXPECT_EQ(predictions[static_cast<size_t>(row)].values()[static_cast<size_t>(k)],
                expected[row][k].item<float>());
}

TEST(Predictor, OpensARunAndSaysTheSameAsTheEstimatorThatTrainedIt) {
  ExperimentOptions options = digits_experiment();
  options.average = 0.9;
  std::string run;
  std::vector<std::vector<double>> expected;
  {
    Estimator estimator(options);
    run = estimator.fit().run_folder;
    expected = values_of(Predictor(estimator)(digit_samples(3)));
  }
  EXPECT_EQ(values_of(Predictor(run, {.checkpoint = "last"})(digit_samples(3))), expected);
}

// Every thread asks for samples in batches of its own size, some of which were never run before.
void expect_same_from_many_threads(const ExperimentOptions& options) {
  Estimator estimator(options, {.keeps_run = false});
  (void)estimator.fit();
  const Predictor predictor(estimator);
  const std::vector<RawSample> samples = digit_samples(24);
  const std::vector<int64_t> sizes = {1, 5, 24, 7};
  std::vector<std::vector<std::vector<double>>> expected;
  for (const int64_t size : sizes)
    expected.push_back(values_of(predictor(samples, {.batch_size = size})));
  const Predictor fresh(estimator);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (int round = 0; round < 6; ++round)
          if (values_of(fresh(samples, {.batch_size = sizes[t % 4]})) != expected[t % 4]) ++wrong;
      });
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Predictor, GivesManyThreadsAtOnceWhatItGivesOne) {
  expect_same_from_many_threads(digits_experiment());
  expect_same_from_many_threads(digits_experiment(layers::resnet({.depth = 20})));
  ExperimentOptions averaged = digits_experiment(layers::mlp());
  averaged.average = 0.9;
  expect_same_from_many_threads(averaged);
}

TEST(Predictor, MayBeCalledFirstFromManyThreads) {
  std::string run;
  {
    Estimator estimator(digits_experiment(layers::resnet({.depth = 20})));
    run = estimator.fit().run_folder;
  }
  const std::vector<RawSample> samples = digit_samples(9);
  const auto expected = values_of(Predictor(run, {.checkpoint = "last"})(samples));
  const Predictor predictor(run, {.checkpoint = "last"});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] { wrong += values_of(predictor(samples)) == expected ? 0 : 1; });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(predictor.plans(), 1);
}

TEST(Predictor, TakesTurnsWhileAHookListens) {
  Estimator estimator(digits_experiment(layers::mlp()), {.keeps_run = false});
  int inside = 0;
  int most = 0;
  estimator.network().models().find("net").layer().add_hook_before(
      [&](const Layer&, at::Tensor&) { most = std::max(most, ++inside); });
  estimator.network().models().find("net").layer().add_hook_after(
      [&](const Layer&, at::Tensor&) { --inside; });
  const Predictor predictor(estimator);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int round = 0; round < 20; ++round) (void)predictor(digit_sample(round));
      });
  }
  EXPECT_EQ(most, 1);
}

// Its parameters do not depend on the size of the image.
ExperimentOptions shapes_experiment() {
  ExperimentOptions options = digits_experiment(
      layers::sequential({{layers::conv2d({.out_channels = 4, .padding = 1}),
                           layers::conv2d({.padding = 1, .classes_of = "mask"})}}));
  options.data.train = sources::shapes({.size = 64, .side = 8});
  options.data.eval = {};
  options.loss = network_ops::cross_entropy({.in = {"logits", "mask"}});
  options.target = "mask";
  options.predict.out = {"probability", "logits"};
  return options;
}

RawSample shape_sample(int64_t height, int64_t width) {
  const std::vector<uint8_t> pixels(static_cast<size_t>(height * width * 3), 100);
  return {"shape", {{"image", RawTensor::of<uint8_t>(DType::kUint8, {height, width, 3}, pixels)}}};
}

TEST(Predictor, CompilesOnceForEachShape) {
  Estimator estimator(shapes_experiment(), {.keeps_run = false});
  const Predictor predictor(estimator);
  const std::vector<RawSample> samples = {shape_sample(8, 8), shape_sample(12, 16),
                                          shape_sample(8, 8), shape_sample(12, 16)};
  for (int round = 0; round < 3; ++round) {
    const auto predictions = predictor(samples);
    EXPECT_EQ(predictions[1].output("logits").shape, (std::vector<int64_t>{4, 12, 16}));
    EXPECT_EQ(predictions[1].values(), predictions[3].values());
    EXPECT_EQ(predictor.plans(), 2);
  }
}

TEST(Predictor, KeepsThePlansOfTheShapesThatCameLast) {
  Estimator estimator(shapes_experiment(), {.keeps_run = false});
  const Predictor predictor(estimator);
  const auto first = predictor(shape_sample(8, 12)).output("logits").values;
  for (int64_t i = 0; i < 20; ++i) {
    (void)predictor(shape_sample(8, 16 + 4 * i));
    EXPECT_LE(predictor.plans(), 16);
  }
  EXPECT_EQ(predictor(shape_sample(8, 12)).output("logits").values, first);
  EXPECT_EQ(predictor.plans(), 16);
}

TEST(Predictor, GivesEveryWantedKeyAsWhatItIs) {
  Estimator estimator(shapes_experiment(), {.keeps_run = false});
  const Prediction prediction = Predictor(estimator)(shape_sample(8, 8));
  ASSERT_EQ(prediction.outputs.size(), 2U);
  const PredictedValue& mask = prediction.output("probability");
  EXPECT_EQ(mask.role, Role::kMask);
  EXPECT_EQ(mask.classes.size(), 64U);
  EXPECT_EQ(mask.class_names[0], "background");
  EXPECT_THAT(message_of<DataError>([&] { (void)prediction.output("probabilty"); }),
              HasSubstr("Did you mean 'probability'?"));
}

TEST(Predictor, TakesTextThroughTheDataOps) {
  const auto file = std::filesystem::path(testing::TempDir()) / "predictor_lines.txt";
  std::ofstream(file) << "a\tfirst one\nb\tsecond\na\tthird line\n";
  ExperimentOptions options = digits_experiment(
      layers::sequential({{layers::embedding({.size = 4}), layers::flatten(), layers::linear()}}));
  options.data.train = sources::text_lines({.file = file});
  options.data.eval = {};
  options.data.ops = {sample_ops::byte_tokens(),
                      sample_ops::pad_to({.key = "tokens", .size = {12}})};
  options.input = "tokens";
  Estimator estimator(options, {.keeps_run = false});
  const Predictor predictor(estimator);
  const std::vector<int64_t> first = {0};
  EXPECT_EQ(predictor({"line", {{"text", RawText{"first one"}}}}).values(),
            predictor.of_data(first).at(0).values());
  EXPECT_THAT(message_of<DataError>([&] {
                (void)predictor({"line", {{"text", RawText{""}}}});
              }),
              HasSubstr("line: is empty, but the model's input 'text' takes text"));
  EXPECT_THAT(message_of<DataError>([&] {
                (void)predictor({"line", {{"text", RawText{"much too long a line"}}}});
              }),
              HasSubstr("pad_to"));
}

std::string fault_of(const Predictor& predictor, std::map<std::string, RawValue> values) {
  return message_of<DataError>([&] { (void)predictor({"it", std::move(values)}); });
}

TEST(Predictor, SaysWhatIsWrongWithAValueAndWhatTheKeyTakes) {
  Estimator estimator(digits_experiment(layers::mlp()), {.keeps_run = false});
  const Predictor predictor(estimator);
  const std::string takes = "'image' takes an image (uint8 [B, 8, 8, 1])";
  EXPECT_THAT(fault_of(predictor, {}), HasSubstr("there is nothing for 'image'"));
  EXPECT_THAT(fault_of(predictor, {}), HasSubstr(takes));
  EXPECT_THAT(fault_of(predictor, {{"imagee", RawText{"x"}}}), HasSubstr("Did you mean 'image'?"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawText{"x"}}}),
              HasSubstr("gives text for the model's input 'image', which takes an image"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawNumbers{{1, 2}}}}), HasSubstr("has 2 numbers"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawNumbers{std::vector<double>(64, NAN)}}}),
              HasSubstr("number 1 of 64 is nan"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawPicture{"\x89PNG\r\n\x1a\n...."}}}),
              HasSubstr("it"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawTensor{DType::kUint8, {0, 8, 1}, ""}}}),
              HasSubstr("of no size"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawTensor{DType::kFloat32, {8, 8, 1}, ""}}}),
              HasSubstr("gives a tensor, float32 [B, 8, 8, 1]"));
  EXPECT_THAT(fault_of(predictor, {{"image", RawTensor{DType::kUint8, {8, 8, 1}, "abc"}}}),
              HasSubstr("has 3 bytes"));
}

TEST(Predictor, RefusesASizeThatTheModelDoesNotTake) {
  Estimator estimator(digits_experiment(layers::mlp()), {.keeps_run = false});
  const Predictor predictor(estimator);
  const RawTensor large{DType::kUint8, {9, 9, 1}, std::string(81, 'a')};
  for (int round = 0; round < 2; ++round)
    EXPECT_THAT(message_of<DataError>([&] {
                  (void)predictor({"it", {{"image", large}}});
                }),
                HasSubstr("is built for"));
  EXPECT_EQ(predictor.plans(), 1);
  EXPECT_EQ(predictor(digit_sample(1)).values().size(), 10U);
}

TEST(Predictor, KeepsGoingWithoutWhatCannotBePredicted) {
  Estimator estimator(digits_experiment(layers::mlp()), {.keeps_run = false});
  const Predictor predictor(estimator);
  std::vector<RawSample> samples = digit_samples(4);
  samples[1] = {"bad", {{"image", RawNumbers{{1}}}}};
  samples[2] = {"none", {{"image", RawFile{"nowhere.png"}}}};
  const auto predictions = predictor(samples, {.keeps_going = true});
  EXPECT_THAT(predictions[1].error, HasSubstr("bad: has 1 numbers"));
  EXPECT_THAT(predictions[2].error, HasSubstr("nowhere.png"));
  EXPECT_EQ(predictions[0].values(), predictor(std::vector{samples[0], samples[3]}).at(0).values());
  EXPECT_THROW((void)predictor(samples), DataError);
  EXPECT_THROW((void)predictions[1].values(), DataError);
}

// Pictures as their files have them, so that the op that decodes them meets the broken one.
TEST(Predictor, KeepsGoingWhenAnOpCannotUseASample) {
  ExperimentOptions options = digits_experiment(layers::mlp());
  options.data.train =
      sources::image_folder({.folder = HEARTH_SOURCE_DIR "/examples/shapes/train"});
  options.data.eval = {};
  options.data.ops = {sample_ops::decode({.channels = 1}), sample_ops::resize({.size = {8}}),
                      sample_ops::normalize({.key = "image"})};
  Estimator estimator(options, {.keeps_run = false});
  const Predictor predictor(estimator);
  const std::string whole = encode_png({3, 5, 1, std::vector<uint8_t>(15, 200)});
  const std::vector<RawSample> samples = {
      {"whole", {{"image", RawPicture{whole}}}},
      {"cut", {{"image", RawPicture{whole.substr(0, whole.size() / 2)}}}},
      {"again", {{"image", RawPicture{whole}}}}};
  const auto predictions = predictor(samples, {.keeps_going = true});
  EXPECT_THAT(predictions[1].error, HasSubstr("(cut): op 'decode+resize'"));
  EXPECT_EQ(predictions[0].values(), predictions[2].values());
  EXPECT_FALSE(predictions[0].values().empty());
}

TEST(Predictor, PredictsAListInBatchesAndTellsHowFarItIs) {
  Estimator estimator(digits_experiment(layers::mlp()), {.keeps_run = false});
  std::vector<int64_t> told;
  const auto predictions = Predictor(estimator)(
      digit_samples(7), {.top = 2, .batch_size = 3, .on_progress = [&](int64_t done, int64_t all) {
                           told.push_back(done);
                           EXPECT_EQ(all, 7);
                         }});
  EXPECT_EQ(told, (std::vector<int64_t>{3, 6, 7}));
  EXPECT_EQ(predictions[6].scores().size(), 2U);
}

}  // namespace
}  // namespace hearth
