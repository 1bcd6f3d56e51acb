#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_shift.h"

namespace hearth {
namespace {

std::unique_ptr<SampleOp> make(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

Spec image_of(int64_t channels, int64_t height, int64_t width) {
  return {.dtype = DType::kFloat32, .shape = {channels, height, width}};
}

template <class T>
std::vector<T> run(const SampleOp& op, std::vector<T> values, const Spec& spec,
                   RandomIdentity identity = {}) {
  std::vector<T> result(values.size());
  if (op.is_in_place()) result = values;
  Random random(identity);
  const View in{reinterpret_cast<std::byte*>(op.is_in_place() ? result.data() : values.data()),
                &spec, spec.shape};
  const Cell out(reinterpret_cast<std::byte*>(result.data()), spec);
  op.run(random, {&in, 1}, {&out, 1});
  return result;
}

std::string graph_error(const SampleOp& op, const Spec& spec) {
  try {
    (void)op.infer({spec});
  } catch (const GraphError& error) {
    return error.what();
  }
  return "";
}

using Floats = std::vector<float>;

TEST(Normalize, SubtractsTheMeanAndDividesByTheDeviation) {
  const auto op = make(sample_ops::normalize({.mean = {1}, .std = {2}}));
  EXPECT_EQ(run<float>(*op, {1, 3, 5, -1}, image_of(1, 2, 2)), (Floats{0, 1, 2, -1}));
}

Spec bytes_of(int64_t height, int64_t width, int64_t channels) {
  Spec spec{.dtype = DType::kUint8, .shape = {height, width, channels}};
  spec.role = Role::kImage;
  spec.image_range = {0.0, 255.0};
  return spec;
}

// Bytes to floats, through an op that changes the dtype.
Floats floats_of(const SampleOp& op, std::vector<uint8_t> bytes, const Spec& spec) {
  const Spec made = op.infer({spec})[0];
  Floats result(bytes.size());
  Random random({});
  const View in{reinterpret_cast<std::byte*>(bytes.data()), &spec, spec.shape};
  const Cell out(reinterpret_cast<std::byte*>(result.data()), made);
  op.run(random, {&in, 1}, {&out, 1});
  return result;
}

TEST(Normalize, TurnsBytesIntoTheFloatsThatTwoPassesWouldGive) {
  const auto op = make(sample_ops::normalize({.mean = {0.2860}, .std = {0.3530}}));
  std::vector<uint8_t> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  Floats expected(256);
  for (size_t i = 0; i < bytes.size(); ++i) expected[i] = static_cast<float>(i) * (1.0F / 255);
  EXPECT_EQ(floats_of(*op, bytes, bytes_of(16, 16, 1)),
            run<float>(*op, expected, image_of(1, 16, 16)));
  bytes.resize(15);  // not a multiple of what is done at a time
  expected.resize(15);
  EXPECT_EQ(floats_of(*op, bytes, bytes_of(3, 5, 1)), run<float>(*op, expected, image_of(1, 3, 5)));
}

TEST(Normalize, TakesTheChannelsOfBytesLast) {
  const auto op = make(sample_ops::normalize({.mean = {0, 1}, .std = {1, 0.5}}));
  EXPECT_EQ(floats_of(*op, {0, 0, 255, 255, 0, 255}, bytes_of(1, 3, 2)),
            (Floats{0, -2, 1, 0, 0, 0}));
  Spec spec = bytes_of(1, 3, 2);
  EXPECT_EQ(op->infer({spec})[0].text(), "float32 [B, 1, 3, 2]");
  spec.image_range = {0.0, 16.0};
  EXPECT_EQ(floats_of(*op, {16, 16, 8, 8, 0, 0}, spec), (Floats{1, 0, 0.5, -1, 0, -2}));
}

TEST(Normalize, TakesOneValueAChannel) {
  const auto op = make(sample_ops::normalize({.mean = {0, 10}, .std = {1, 2}}));
  EXPECT_EQ(run<float>(*op, {1, 2, 10, 12}, image_of(2, 1, 2)), (Floats{1, 2, 0, 1}));
  const auto one_deviation = make(sample_ops::normalize({.mean = {0, 10}, .std = {2}}));
  EXPECT_EQ(run<float>(*one_deviation, {2, 4, 10, 12}, image_of(2, 1, 2)), (Floats{1, 2, 0, 1}));
}

TEST(Normalize, MovesBlackAndWhiteAlong) {
  Spec spec = image_of(1, 2, 2);
  spec.image_range = {0.0, 1.0};
  const auto op = make(sample_ops::normalize({.mean = {0.5}, .std = {0.25}}));
  EXPECT_EQ(op->infer({spec})[0].image_range, (std::pair{-2.0, 2.0}));
}

TEST(Normalize, SaysWhatDoesNotFit) {
  const auto op = make(sample_ops::normalize({.mean = {0, 1, 2}}));
  EXPECT_EQ(graph_error(*op, image_of(1, 8, 8)),
            "normalize: 3 values of mean or std need as many channels, but key 'image' is float32 "
            "[B, 1, 8, 8]. Give one value, or one for each channel.");
  EXPECT_EQ(graph_error(*op, {.dtype = DType::kUint8, .shape = {3, 8, 8}}),
            "normalize: key 'image' must be float32, or an image of bytes, but is uint8 [B, 3, 8, "
            "8].");
}

TEST(Normalize, RefusesListsThatDoNotFitAndDivisionByZero) {
  EXPECT_THROW((void)make(sample_ops::normalize({.mean = {1, 2}, .std = {1, 2, 3}})), ConfigError);
  EXPECT_THROW((void)make(sample_ops::normalize({.std = {0}})), ConfigError);
}

// The image holds 1..9; where it moved to shows in where the 5 of its middle lies.
TEST(RandomShift, MovesTheWholeImageAndFillsTheRest) {
  const auto op = make(sample_ops::random_shift({.pixels = 1, .fill = -1}));
  const Floats image = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::set<int> places;
  for (uint64_t sample = 0; sample < 200; ++sample) {
    const Floats moved = run<float>(*op, image, image_of(1, 3, 3), {.sample = sample});
    const int middle = static_cast<int>(std::find(moved.begin(), moved.end(), 5) - moved.begin());
    places.insert(middle);
    const int dy = middle / 3 - 1;
    const int dx = middle % 3 - 1;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        const bool inside = y - dy >= 0 && y - dy < 3 && x - dx >= 0 && x - dx < 3;
        EXPECT_EQ(moved[size_t(3 * y + x)], inside ? image[size_t(3 * (y - dy) + x - dx)] : -1);
      }
  }
  EXPECT_EQ(places.size(), 9U);
}

TEST(RandomShift, MovesAllChannelsTheSameWay) {
  const auto op = make(sample_ops::random_shift({.pixels = 1}));
  for (uint64_t sample = 0; sample < 20; ++sample) {
    const Floats moved =
        run<float>(*op, {1, 2, 3, 4, 1, 2, 3, 4}, image_of(2, 2, 2), {.sample = sample});
    EXPECT_EQ(Floats(moved.begin(), moved.begin() + 4), Floats(moved.begin() + 4, moved.end()));
  }
}

TEST(RandomShift, MovesTheChannelsOfAnImageTogether) {
  const auto op = make(sample_ops::random_shift({.pixels = 1}));
  for (uint64_t sample = 0; sample < 20; ++sample) {
    const auto plane = run<uint8_t>(*op, {1, 2, 3, 4}, bytes_of(2, 2, 1), {.sample = sample});
    const auto both =
        run<uint8_t>(*op, {1, 1, 2, 2, 3, 3, 4, 4}, bytes_of(2, 2, 2), {.sample = sample});
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(both[i], plane[i / 2]);
  }
}

TEST(RandomShift, ShiftsBytesAndSurvivesShiftsBeyondTheImage) {
  const auto op = make(sample_ops::random_shift({.pixels = 50, .fill = 7}));
  const Spec spec{.dtype = DType::kUint8, .shape = {1, 2, 2}};
  int empty = 0;
  for (uint64_t sample = 0; sample < 50; ++sample)
    empty += run<uint8_t>(*op, {1, 2, 3, 4}, spec, {.sample = sample}) ==
             std::vector<uint8_t>{7, 7, 7, 7};
  EXPECT_GT(empty, 40);
}

TEST(RandomShift, DrawsDependOnSeedEpochSampleAndOpOnly) {
  const auto op = make(sample_ops::random_shift({.pixels = 3}));
  const Spec spec = image_of(1, 8, 8);
  Floats image(64);
  for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i);
  const RandomIdentity base{.seed = 1, .epoch = 2, .sample = 3, .op = 4};
  const Floats first = run(*op, image, spec, base);
  EXPECT_EQ(run(*op, image, spec, base), first);
  int changed = 0;
  for (uint32_t i = 1; i <= 10; ++i) {
    changed += run(*op, image, spec, {1 + i, 2, 3, 4}) != first;
    changed += run(*op, image, spec, {1, 2 + i, 3, 4}) != first;
    changed += run(*op, image, spec, {1, 2, 3 + i, 4}) != first;
    changed += run(*op, image, spec, {1, 2, 3, static_cast<uint16_t>(4 + i)}) != first;
  }
  EXPECT_GT(changed, 33);  // of 40; 1 in 49 may land on the same place
}

TEST(RandomShift, SaysWhatItNeeds) {
  const auto op = make(sample_ops::random_shift({.key = "x", .fill = 300}));
  EXPECT_EQ(graph_error(*op, {.dtype = DType::kFloat32, .shape = {8, 8}}),
            "random_shift: key 'x' must be an image, [B, height, width, channels], or numbers of "
            "shape [B, channels, height, width], float32 or uint8, but is float32 [B, 8, 8].");
  EXPECT_EQ(graph_error(*op, {.dtype = DType::kUint8, .shape = {1, 8, 8}}),
            "random_shift: fill must lie between 0 and 255 for the uint8 key 'x', but is 300.");
}

}  // namespace
}  // namespace hearth
