// Ops that hold ops.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/apply.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_crop.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/ops/meta/custom.h"
#include "hearth/data/ops/meta/drop.h"
#include "hearth/data/ops/meta/one_of.h"
#include "hearth/data/ops/meta/rename.h"
#include "hearth/data/ops/meta/repeat.h"
#include "hearth/data/ops/meta/some_of.h"
#include "hearth/data/ops/meta/sometimes.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using Ops = std::vector<Choice<SampleOp>>;

// Adds to every byte; in place, as some ops are.
Choice<SampleOp> add(int amount, const std::string& key = "image") {
  return sample_ops::custom(
      {.name = "add " + std::to_string(amount), .reads = {key}, .writes = {key}},
      {.run = [amount](Random&, std::span<const View> in, std::span<const Cell> out) {
        const auto to = out[0].take(in[0].shape).as<uint8_t>();
        for (size_t i = 0; i < to.size(); ++i)
          to[i] = static_cast<uint8_t>(in[0].as<uint8_t>()[i] + amount);
      }});
}

int result_of(const Choice<SampleOp>& op, uint64_t number = 0) {
  return apply(op, Image{1, 1, 1, {100}}, {.sample = number}).values<uint8_t>()[0];
}

std::map<int, int> counts_of(const Choice<SampleOp>& op, uint64_t samples = 1000) {
  std::map<int, int> counts;
  for (uint64_t number = 0; number < samples; ++number) ++counts[result_of(op, number)];
  return counts;
}

TEST(OneOf, RunsOneOfItsOpsByWeight) {
  const auto counts =
      counts_of(sample_ops::one_of({.of = {add(1), add(2), add(3)}, .weights = {1, 0, 3}}));
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts.at(101), 250, 60);
  EXPECT_NEAR(counts.at(103), 750, 60);
  const auto equal = counts_of(sample_ops::one_of({.of = {add(1), add(2)}}));
  EXPECT_NEAR(equal.at(101), 500, 70);
}

TEST(OneOf, CopiesWhatTheChosenOpDoesNotWrite) {
  const auto op = sample_ops::one_of({.of = {add(1, "left"), add(1, "right")}});
  for (uint64_t number = 0; number < 20; ++number) {
    const Sample made =
        apply({op}, {{"left", Image{1, 1, 1, {10}}}, {"right", Image{1, 1, 1, {20}}}},
              {.sample = number});
    EXPECT_EQ(made.at("left").values<uint8_t>()[0] + made.at("right").values<uint8_t>()[0], 31);
  }
}

TEST(OneOf, MayChangeSizesWhenAllDoSo) {
  const auto op = sample_ops::one_of(
      {.of = {sample_ops::center_crop({.size = {2}}), sample_ops::random_crop({.size = {2}})}});
  SampleValue image = Image{5, 3, 1, Bytes(15, 7)};
  image.spec.shape = {kAnyLength, kAnyLength, 1};
  EXPECT_EQ(apply(op, image).spec.text(), "uint8 [B, 2, 2, 1]");
  const auto mixed =
      sample_ops::one_of({.of = {sample_ops::center_crop({.size = {2}}), sample_ops::flip()}});
  EXPECT_EQ(message_of<GraphError>([&] { (void)apply(mixed, image); }),
            "one_of: its ops must make the same of a key, but center_crop makes uint8 [B, 2, 2, 1] "
            "of 'image', and flip uint8 [B, ?, ?, 1].");
}

TEST(SomeOf, RunsAsManyAsAskedInTheirOrder) {
  const auto counts =
      counts_of(sample_ops::some_of({.of = {add(1), add(10), add(100)}, .count = {2}}));
  EXPECT_EQ(counts.size(), 3U);
  for (const int result : {111, 201, 210}) EXPECT_NEAR(counts.at(result), 333, 70) << result;
  const auto any = counts_of(sample_ops::some_of({.of = {add(1), add(10)}, .count = {0, 2}}));
  EXPECT_EQ(any.size(), 4U);
  EXPECT_NEAR(any.at(100), 333, 70);
  EXPECT_THROW((void)result_of(sample_ops::some_of({.of = {add(1)}, .count = {2}})), ConfigError);
}

TEST(Sometimes, RunsAllOrNothing) {
  const auto counts =
      counts_of(sample_ops::sometimes({.of = {add(1), add(2)}, .probability = 0.2}));
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts.at(103), 200, 50);
  EXPECT_EQ(counts_of(sample_ops::sometimes({.of = {add(1)}, .probability = 1})).size(), 1U);
}

TEST(Repeat, RunsItsOpsSeveralTimes) {
  for (const int64_t times : {0, 1, 2, 3, 10})
    EXPECT_EQ(result_of(sample_ops::repeat({.of = {add(1), add(2)}, .times = times})),
              100 + 3 * times);
}

TEST(MetaOps, HoldOneAnother) {
  const auto inner = sample_ops::repeat({.of = {add(1)}, .times = 3});
  const auto op = sample_ops::repeat(
      {.of = {sample_ops::sometimes({.of = {inner, add(1)}, .probability = 1}), inner},
       .times = 2});
  EXPECT_EQ(result_of(op), 100 + 2 * (3 + 1 + 3));
}

TEST(MetaOps, KeepWhatOpsInPlaceRead) {
  const auto op =
      sample_ops::repeat({.of = {sample_ops::normalize({.mean = {1}, .std = {2}})}, .times = 3});
  const SampleValue value(Spec{.shape = {1}}, std::vector<float>{15});
  EXPECT_EQ(apply(op, value).values<float>(), (std::vector<float>{1}));
}

TEST(MetaOps, GiveRaggedValuesOn) {
  const auto op = sample_ops::repeat({.of = {sample_ops::flip({.horizontal = 1})}, .times = 3});
  SampleValue image = Image{3, 1, 1, {1, 2, 3}};
  image.spec.shape = {kAnyLength, kAnyLength, 1};
  EXPECT_EQ(apply(op, image).values<uint8_t>(), (Bytes{3, 2, 1}));
}

TEST(MetaOps, NameTheOpThatChangesAKey) {
  const auto op = sample_ops::sometimes({.of = {sample_ops::flip(), sample_ops::normalize()}});
  EXPECT_EQ(message_of<GraphError>([&] { (void)result_of(op); }),
            "sometimes: normalize makes float32 [B, 1, 1, 1] of key 'image', which is uint8 [B, 1, "
            "1, 1]; an op that does not run once for every sample must keep a key's size and kind. "
            "Put it beside sometimes, not inside.");
}

TEST(MetaOps, RefuseToDropKeysOfSomeSamples) {
  const auto op = sample_ops::sometimes({.of = {sample_ops::drop({.keys = {"image"}})}});
  EXPECT_EQ(message_of<ConfigError>([&] { (void)result_of(op); }),
            "sometimes: drop stands in it, but a key is there in all samples or in none. Put it "
            "into data.ops itself.");
}

TEST(MetaOps, RefuseWindowsAndSchedulesInside) {
  EXPECT_EQ(message_of<ConfigError>([] {
              (void)result_of(sample_ops::sometimes({.of = {sample_ops::flip().from(epochs(2))}}));
            }),
            "'from' of an op inside of sometimes has no effect. Give it to sometimes itself.");
  const auto moving =
      sample_ops::flip().with("horizontal", Node::map({{"linear", {}, Node::map()}}));
  EXPECT_EQ(message_of<ConfigError>([&] { (void)result_of(sample_ops::repeat({.of = {moving}})); }),
            "'horizontal' of an op inside of repeat cannot follow a schedule. Give it a number.");
}

TEST(Custom, MayMakeOtherKeys) {
  const auto op =
      sample_ops::custom({.name = "mean", .reads = {"image"}, .writes = {"mean"}},
                         {.run =
                              [](Random&, std::span<const View> in, std::span<const Cell> out) {
                                float sum = 0;
                                for (const uint8_t byte : in[0].as<uint8_t>()) sum += byte;
                                out[0].set(sum / static_cast<float>(in[0].elements()));
                              },
                          .infer = [](const std::vector<Spec>&) { return std::vector{Spec{}}; }});
  EXPECT_EQ(apply(op, Image{2, 1, 1, {1, 2}}).values<float>(), (std::vector<float>{1.5F}));
}

TEST(Custom, SaysWhichFunctionsThereAre) {
  EXPECT_THAT(message_of<ConfigError>([] {
                (void)registry<SampleOp>().make(
                    Choice<SampleOp>("custom", Node::map({{"name", {}, Node::scalar("nobody")}})));
              }),
              testing::StartsWith("custom: this program has no function 'nobody', only "));
}

}  // namespace
}  // namespace hearth
