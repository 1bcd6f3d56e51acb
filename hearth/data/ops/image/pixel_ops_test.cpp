// What ops on the values of images draw, refuse and leave alone; what they compute is held against
// torchvision in hearth/data/image.
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/ops/image/aug_mix.h"
#include "hearth/data/ops/image/auto_augment.h"
#include "hearth/data/ops/image/blur.h"
#include "hearth/data/ops/image/brightness.h"
#include "hearth/data/ops/image/channel_shuffle.h"
#include "hearth/data/ops/image/coarse_dropout.h"
#include "hearth/data/ops/image/color_jitter.h"
#include "hearth/data/ops/image/hue.h"
#include "hearth/data/ops/image/invert.h"
#include "hearth/data/ops/image/noise.h"
#include "hearth/data/ops/image/rand_augment.h"
#include "hearth/data/ops/image/random_erasing.h"
#include "hearth/data/ops/image/trivial_augment.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;

std::unique_ptr<SampleOp> make(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

Spec image_spec(std::vector<int64_t> shape, DType dtype = DType::kUint8) {
  return {.dtype = dtype, .shape = std::move(shape), .role = Role::kImage};
}

// In place, as the loader runs it.
template <class T>
std::vector<T> changed(const SampleOp& op, std::vector<T> values, const Spec& spec,
                       uint64_t sample = 0) {
  EXPECT_EQ(op.infer({spec}), std::vector{spec});
  Random random({.sample = sample});
  const View in{reinterpret_cast<std::byte*>(values.data()), &spec, spec.shape};
  const Cell out(in.data, spec);
  op.run(random, {&in, 1}, {&out, 1});
  return values;
}

Bytes ramp(size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  return bytes;
}

TEST(PixelOp, ChangesItsShareOfTheSamples) {
  const auto op = make(sample_ops::invert({.probability = 0.25}));
  int inverted = 0;
  for (uint64_t sample = 0; sample < 1000; ++sample)
    inverted += changed(*op, Bytes{1}, image_spec({1, 1, 1}), sample) == Bytes{254};
  EXPECT_NEAR(inverted, 250, 50);
  const auto never = make(sample_ops::invert({.probability = 0}));
  EXPECT_EQ(changed(*never, Bytes{1}, image_spec({1, 1, 1})), (Bytes{1}));
}

TEST(PixelOp, WritesToOtherMemoryAndImagesOfAnySize) {
  const auto op = make(sample_ops::invert({.probability = 1}));
  const Spec spec = image_spec({kAnyLength, kAnyLength, 1});
  Bytes bytes = {1, 2};
  const std::vector<int64_t> shape = {1, 2, 1};
  RaggedMemory memory;
  RaggedValue value(memory);
  const View in{reinterpret_cast<std::byte*>(bytes.data()), &spec, shape};
  const Cell out(value, spec);
  Random random({});
  op->run(random, {&in, 1}, {&out, 1});
  EXPECT_EQ(Bytes(out.as<uint8_t>().begin(), out.as<uint8_t>().end()), (Bytes{254, 253}));
  EXPECT_EQ(bytes, (Bytes{1, 2}));
}

TEST(PixelOp, LeavesEmptyImagesAlone) {
  for (const auto& choice :
       {sample_ops::rand_augment({.num_ops = 40}), sample_ops::aug_mix(), sample_ops::blur(),
        sample_ops::coarse_dropout({.probability = 1}), sample_ops::noise(),
        sample_ops::random_erasing({.probability = 1}), sample_ops::hue()})
    EXPECT_TRUE(changed(*make(choice), Bytes{}, image_spec({0, 4, 3})).empty());
}

TEST(PixelOp, SaysWhatItNeeds) {
  const auto message = [](const Choice<SampleOp>& choice, const Spec& spec) {
    return message_of<GraphError>([&] { (void)make(choice)->infer({spec}); });
  };
  EXPECT_EQ(message(sample_ops::blur(), image_spec({8, 8, 1}, DType::kFloat32)),
            "blur: key 'image' must be an image of bytes, [B, height, width, channels], but is "
            "float32 [B, 8, 8, 1] and image. Put blur before normalize.");
  EXPECT_EQ(message(sample_ops::noise(), {.dtype = DType::kUint8, .shape = {8, 8, 1}}),
            "noise: key 'image' must be an image of bytes or float32, [B, height, width, "
            "channels], but is uint8 [B, 8, 8, 1] and plain.");
  EXPECT_EQ(message(sample_ops::hue(), image_spec({8, 8, 4})),
            "hue: key 'image' must be an image of 1 or 3 channels, but is uint8 [B, 8, 8, 4] and "
            "image. Let decode make as many, or leave the op out.");
  Spec digits = image_spec({8, 8, 1});
  digits.image_range = {0.0, 16.0};
  EXPECT_EQ(message(sample_ops::invert(), digits),
            "invert: key 'image' has black at 0 and white at 16, but this op is for bytes from 0 "
            "to 255.");
  EXPECT_EQ(message(sample_ops::random_erasing({.fill = {1, 2}}), image_spec({8, 8, 3})),
            "random_erasing: fill holds 2 numbers, but key 'image' is uint8 [B, 8, 8, 3]. Give one "
            "number, or one for each channel.");
  EXPECT_EQ(message(sample_ops::coarse_dropout({.fill = {-1}}), image_spec({8, 8, 3})),
            "coarse_dropout: fill must lie between 0 and 255 for the bytes of key 'image', but is "
            "-1.");
}

TEST(PixelOp, RefusesOptionsThatDoNotFit) {
  EXPECT_THROW((void)make(sample_ops::brightness({.strength = {2, 1}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::brightness({.strength = {}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::hue({.strength = {-0.2}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::color_jitter({.hue = {0.1, 0.2, 0.3}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::blur({.kernel = {4}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::rand_augment({.magnitude = 31})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::rand_augment({.fill = {1, 2}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::noise({.amount = {0.2, 0.1}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::coarse_dropout({.holes = {3, 2}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::aug_mix({.chain_depth = 0})), ConfigError);
}

TEST(Brightness, DrawsFactorsFromItsRange) {
  const auto op = make(sample_ops::brightness({.strength = {0.5}}));
  int least = 255;
  int greatest = 0;
  for (uint64_t sample = 0; sample < 300; ++sample) {
    const int value = changed(*op, Bytes{100}, image_spec({1, 1, 1}), sample)[0];
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  EXPECT_NEAR(least, 50, 3);
  EXPECT_NEAR(greatest, 150, 3);
  const auto one = make(sample_ops::brightness({.strength = {2, 2}}));
  EXPECT_EQ(changed(*one, Bytes{100, 200}, image_spec({1, 2, 1})), (Bytes{200, 255}));
}

// Brightness before contrast keeps a mean of 50, contrast before brightness moves the values first.
TEST(ColorJitter, AppliesItsPartsInADrawnOrder) {
  const auto op = make(sample_ops::color_jitter({.brightness = {2, 2}, .contrast = {3, 3}}));
  const Spec spec = image_spec({1, 2, 1});
  std::set<Bytes> results;
  for (uint64_t sample = 0; sample < 40; ++sample)
    results.insert(changed(*op, Bytes{60, 140}, spec, sample));
  Bytes first = {60, 140};
  pixels::adjust_brightness({1, 2, 1, first.data()}, 2);
  pixels::adjust_contrast({1, 2, 1, first.data()}, 3);
  Bytes second = {60, 140};
  pixels::adjust_contrast({1, 2, 1, second.data()}, 3);
  pixels::adjust_brightness({1, 2, 1, second.data()}, 2);
  EXPECT_EQ(results, (std::set<Bytes>{first, second}));
}

TEST(ColorJitter, ChangesNothingUnlessAsked) {
  const Spec spec = image_spec({4, 4, 3});
  EXPECT_EQ(changed(*make(sample_ops::color_jitter()), ramp(48), spec), ramp(48));
}

TEST(Blur, MirrorsImagesThatAreSmallerThanItsKernel) {
  const auto op = make(sample_ops::blur({.kernel = {63}, .sigma = {50}}));
  const Bytes bytes = changed(*op, Bytes{0, 100, 0, 100}, image_spec({2, 2, 1}));
  for (const uint8_t value : bytes) EXPECT_NEAR(value, 50, 1);
  EXPECT_EQ(changed(*op, Bytes{9, 200}, image_spec({1, 1, 2})), (Bytes{9, 200}));
}

TEST(ChannelShuffle, GivesEveryPixelTheSameOrder) {
  const auto op = make(sample_ops::channel_shuffle({.probability = 1}));
  std::set<Floats> orders;
  for (uint64_t sample = 0; sample < 100; ++sample) {
    const Floats values =
        changed(*op, Floats{1, 2, 3, 1, 2, 3}, image_spec({1, 2, 3}, DType::kFloat32), sample);
    EXPECT_EQ(Floats(values.begin(), values.begin() + 3), Floats(values.begin() + 3, values.end()));
    orders.insert(values);
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST(RandomErasing, WritesOverOneRectangle) {
  const auto op = make(sample_ops::random_erasing(
      {.probability = 1, .scale = {0.25}, .ratio = {1}, .fill = {1, 2, 3}}));
  const Spec spec = image_spec({8, 8, 3});
  std::set<size_t> places;
  for (uint64_t sample = 0; sample < 200; ++sample) {
    const Bytes bytes = changed(*op, Bytes(192, 9), spec, sample);
    size_t first = 0;
    while (bytes[3 * first] == 9) ++first;
    places.insert(first);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 9), 192 - 48);
    for (const size_t pixel : {first, first + 3, first + 24, first + 27})
      for (size_t c = 0; c < 3; ++c) EXPECT_EQ(bytes[3 * pixel + c], c + 1);
  }
  EXPECT_EQ(places.size(), 25U);
}

TEST(RandomErasing, LeavesImagesInWhichNoRectangleFits) {
  const auto op = make(sample_ops::random_erasing({.probability = 1, .scale = {1}, .ratio = {1}}));
  EXPECT_EQ(changed(*op, ramp(16), image_spec({4, 4, 1})), ramp(16));
}

TEST(RandomErasing, WritesNoiseWhenTold) {
  const auto op = make(
      sample_ops::random_erasing({.probability = 1, .scale = {0.9}, .ratio = {1}, .noise = true}));
  const Floats values = changed(*op, Floats(400, 5), image_spec({20, 20, 1}, DType::kFloat32), 3);
  const auto kept = std::count(values.begin(), values.end(), 5.0F);
  EXPECT_EQ(kept, 400 - 19 * 19);
  EXPECT_NEAR((std::reduce(values.begin(), values.end()) - 5 * static_cast<float>(kept)) / 361, 0,
              0.3);
}

TEST(CoarseDropout, WritesOverAsManyHolesAsToldAndNoMore) {
  const auto op = make(
      sample_ops::coarse_dropout({.probability = 1, .holes = {3}, .size = {0.1}, .fill = {7}}));
  for (uint64_t sample = 0; sample < 50; ++sample) {
    const Bytes bytes = changed(*op, Bytes(400), image_spec({20, 20, 1}), sample);
    const auto written = std::count(bytes.begin(), bytes.end(), 7);
    EXPECT_GE(written, 4);
    EXPECT_LE(written, 12);
  }
}

TEST(Noise, HasTheDeviationItIsAskedFor) {
  const auto deviation = [](const auto& values, float mean) {
    double sum = 0;
    for (const auto value : values) sum += std::pow(static_cast<double>(value) - mean, 2);
    return std::sqrt(sum / static_cast<double>(values.size()));
  };
  const auto op = make(sample_ops::noise({.amount = {0.1}}));
  EXPECT_NEAR(deviation(changed(*op, Bytes(10'000, 128), image_spec({100, 100, 1})), 128), 25.5, 1);
  EXPECT_NEAR(
      deviation(changed(*op, Floats(10'000, 0), image_spec({100, 100, 1}, DType::kFloat32)), 0),
      0.1, 0.004);
  const auto uniform = make(sample_ops::noise({.kind = "uniform", .amount = {0.1}}));
  EXPECT_NEAR(deviation(changed(*uniform, Bytes(10'000, 128), image_spec({100, 100, 1})), 128),
              25.5 / std::sqrt(3.0), 0.5);
}

TEST(Noise, MakesSomeValuesBlackOrWhite) {
  const auto op = make(sample_ops::noise({.kind = "salt_and_pepper", .amount = {0.2}}));
  Spec spec = image_spec({100, 100, 1});
  spec.image_range = {0.0, 16.0};
  const Bytes bytes = changed(*op, Bytes(10'000, 5), spec);
  EXPECT_NEAR(static_cast<double>(std::count(bytes.begin(), bytes.end(), 0)), 1000, 100);
  EXPECT_NEAR(static_cast<double>(std::count(bytes.begin(), bytes.end(), 16)), 1000, 100);
}

TEST(RandAugment, DrawsAnotherChangeForEachImage) {
  for (const auto& choice :
       {sample_ops::rand_augment(), sample_ops::trivial_augment(), sample_ops::auto_augment(),
        sample_ops::aug_mix(), sample_ops::aug_mix({.mixture_width = 1, .alpha = 1e-3})}) {
    const auto op = make(choice);
    std::set<Bytes> results;
    for (uint64_t sample = 0; sample < 100; ++sample)
      results.insert(changed(*op, ramp(252), image_spec({12, 7, 3}), sample));
    EXPECT_GT(results.size(), 10U) << choice.name();
  }
}

}  // namespace
}  // namespace hearth
