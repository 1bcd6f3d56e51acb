// Ops that move the points of an image: what becomes of boxes, masks and points.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/apply.h"
#include "hearth/data/geometry/random_region.h"
#include "hearth/data/ops/image/affine.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/elastic.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/perspective.h"
#include "hearth/data/ops/image/random_crop.h"
#include "hearth/data/ops/image/random_resized_crop.h"
#include "hearth/data/ops/image/random_shift.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/ops/image/rotate.h"
#include "hearth/data/ops/pad_to.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;
using Keys = std::vector<std::string>;

const Keys kAllKeys = {"image", "mask", "boxes", "points"};

struct DrawnBlock {
  int64_t left, top, right, bottom;
};

Spec boxes_spec() { return {.shape = {kAnyLength, 4}, .role = Role::kBoxes}; }

SampleValue boxes_of(const Floats& numbers) {
  return {boxes_spec(), {static_cast<int64_t>(numbers.size() / 4), 4}, numbers};
}

// A rectangle that is drawn into image and mask; its box; and its corners as points.
Sample drawn(int64_t height, int64_t width, const DrawnBlock& at) {
  Bytes mask(static_cast<size_t>(height * width));
  for (int64_t y = at.top; y < at.bottom; ++y)
    for (int64_t x = at.left; x < at.right; ++x) mask[static_cast<size_t>(y * width + x)] = 1;
  Image image{width, height, 1, mask};
  for (uint8_t& byte : image.pixels) byte = static_cast<uint8_t>(byte * 200);
  const Spec mask_spec{.dtype = DType::kUint8, .shape = {height, width}, .role = Role::kMask};
  const Spec points{.shape = {2, 2}, .role = Role::kPoints};
  const Floats box = {static_cast<float>(at.left), static_cast<float>(at.top),
                      static_cast<float>(at.right), static_cast<float>(at.bottom)};
  return {{"image", image},
          {"mask", {mask_spec, mask}},
          {"boxes", boxes_of(box)},
          {"points", {points, box}}};
}

// The box around a mask's points; none when it has none.
Floats bounds_of(const SampleValue& mask) {
  const auto values = mask.values<uint8_t>();
  float left = 1e9F, top = 1e9F, right = -1, bottom = -1;
  for (int64_t y = 0; y < mask.shape[0]; ++y)
    for (int64_t x = 0; x < mask.shape[1]; ++x) {
      if (values[static_cast<size_t>(y * mask.shape[1] + x)] != 1) continue;
      left = std::min(left, static_cast<float>(x));
      top = std::min(top, static_cast<float>(y));
      right = std::max(right, static_cast<float>(x + 1));
      bottom = std::max(bottom, static_cast<float>(y + 1));
    }
  return right < 0 ? Floats{} : Floats{left, top, right, bottom};
}

// How far a side of the box may lie from the mask's: one that is resized may end within a point.
void expect_box_around_mask(const Choice<SampleOp>& op, double tolerance) {
  int boxes = 0;
  for (uint64_t number = 0; number < 200; ++number) {
    Random random({.sample = number, .op = 7});
    const DrawnBlock at{random.between(0, 12), random.between(0, 9), random.between(16, 24),
                        random.between(12, 20)};
    const Sample moved = apply({op}, drawn(20, 24, at), {.sample = number});
    const Floats box = moved.at("boxes").values<float>();
    const Floats expected = bounds_of(moved.at("mask"));
    boxes += static_cast<int>(box.size() / 4);
    if (box.empty() || expected.empty()) {
      const Floats& other = box.empty() ? expected : box;
      EXPECT_TRUE(other.empty() || (other[2] - other[0]) <= 2 * tolerance ||
                  (other[3] - other[1]) <= 2 * tolerance);
      continue;
    }
    for (size_t i = 0; i < 4; ++i)
      ASSERT_NEAR(box[i], expected[i], tolerance) << op.name() << ", sample " << number;
  }
  EXPECT_GT(boxes, 20);
}

TEST(GeometricOps, KeepTheBoxAroundTheMask) {
  expect_box_around_mask(sample_ops::flip({.keys = kAllKeys, .vertical = 0.5}), 0);
  expect_box_around_mask(sample_ops::center_crop({.keys = kAllKeys, .size = {9, 14}}), 0);
  expect_box_around_mask(sample_ops::random_crop({.keys = kAllKeys, .size = {8}, .padding = 6}), 0);
  expect_box_around_mask(sample_ops::random_shift({.pixels = 20, .keys = kAllKeys}), 0);
  expect_box_around_mask(sample_ops::pad_to({.size = {30, 40}, .keys = kAllKeys}), 0);
  expect_box_around_mask(
      sample_ops::pad_to({.size = {10, 12}, .too_long = "cut", .keys = kAllKeys}), 0);
  expect_box_around_mask(sample_ops::resize({.size = {37, 11}, .keys = kAllKeys}), 1);
  expect_box_around_mask(sample_ops::resize({.keys = kAllKeys, .shorter = 11}), 1);
  expect_box_around_mask(sample_ops::random_resized_crop({.keys = kAllKeys, .size = {16}}), 1);
  expect_box_around_mask(sample_ops::perspective({.keys = kAllKeys, .distortion = 0.3}), 1.2);
  expect_box_around_mask(sample_ops::elastic({.keys = kAllKeys, .alpha = 40, .sigma = 4}), 1.2);
  expect_box_around_mask(sample_ops::rotate({.keys = kAllKeys, .degrees = {90, 90}}), 1);
  expect_box_around_mask(sample_ops::rotate({.keys = kAllKeys, .degrees = {180}}), 1.7);
  expect_box_around_mask(
      sample_ops::affine({.keys = kAllKeys, .degrees = {20}, .translate = {0.2}, .shear = {15}}),
      1.7);
}

TEST(Flip, TwiceChangesNothing) {
  const auto flip = sample_ops::flip({.keys = kAllKeys, .horizontal = 1, .vertical = 1});
  const Sample sample = drawn(5, 8, {1, 2, 4, 3});
  const Sample once = apply({flip}, sample);
  EXPECT_EQ(once.at("boxes").values<float>(), (Floats{4, 2, 7, 3}));
  EXPECT_EQ(once.at("points").values<float>(), (Floats{7, 3, 4, 2}));
  for (const auto& [key, value] : apply({flip, flip}, sample))
    EXPECT_EQ(value.bytes, sample.at(key).bytes) << key;
}

TEST(Flip, MirrorsEveryKindOfPoint) {
  for (const int64_t channels : {1, 2, 3, 4}) {
    Image image{3, 2, channels, {}};
    for (int i = 0; i < 6 * channels; ++i) image.pixels.push_back(static_cast<uint8_t>(i));
    const Image across = apply(sample_ops::flip({.horizontal = 1}), image).image();
    const Image down = apply(sample_ops::flip({.horizontal = 0, .vertical = 1}), image).image();
    for (int64_t y = 0; y < 2; ++y)
      for (int64_t x = 0; x < 3; ++x)
        for (int64_t c = 0; c < channels; ++c) {
          const auto at = [&](int64_t row, int64_t column) {
            return image.pixels[static_cast<size_t>((row * 3 + column) * channels + c)];
          };
          EXPECT_EQ(across.pixels[static_cast<size_t>((y * 3 + x) * channels + c)], at(y, 2 - x));
          EXPECT_EQ(down.pixels[static_cast<size_t>((y * 3 + x) * channels + c)], at(1 - y, x));
        }
  }
}

TEST(Flip, HappensAsOftenAsAsked) {
  int flipped = 0;
  for (uint64_t number = 0; number < 1000; ++number)
    flipped +=
        apply(sample_ops::flip({.horizontal = 0.3}), Image{2, 1, 1, {1, 2}}, {.sample = number})
            .image()
            .pixels[0] == 2;
  EXPECT_NEAR(flipped, 300, 60);
}

// A box that lies outside goes, and with it its class and what else hangs on it.
TEST(GeometricOps, DropBoxesByRuleAndWhatHangsOnThem) {
  Sample sample = drawn(10, 10, {0, 0, 1, 1});
  sample["boxes"] = boxes_of({0, 0, 2, 2, 4, 4, 8, 8, 0, 4, 6, 6, 5, 5, 5, 9});
  const Spec classes{
      .dtype = DType::kInt64, .shape = {kAnyLength}, .classes = 9, .role = Role::kClass};
  const Spec scores{.shape = {kAnyLength, 2}};
  sample["classes"] = {classes, {4}, std::vector<int64_t>{1, 2, 3, 4}};
  sample["scores"] = {scores, {4, 2}, Floats{1, 1, 2, 2, 3, 3, 4, 4}};
  sample_ops::CenterCropOptions options{
      .keys = {"image", "boxes", "classes"}, .size = {4}, .box_keys = {"scores"}};
  const Sample all = apply({sample_ops::center_crop(options)}, sample);
  EXPECT_EQ(all.at("boxes").values<float>(), (Floats{1, 1, 4, 4, 0, 1, 3, 3}));
  EXPECT_EQ(all.at("classes").values<int64_t>(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(all.at("scores").values<float>(), (Floats{2, 2, 3, 3}));
  options.min_visible = 0.51;
  EXPECT_EQ(apply({sample_ops::center_crop(options)}, sample).at("scores").values<float>(),
            (Floats{2, 2}));
  options.min_visible = 0;
  options.min_area = 7;
  EXPECT_EQ(apply({sample_ops::center_crop(options)}, sample).at("scores").values<float>(),
            (Floats{2, 2}));
  options.min_area = 10;
  EXPECT_EQ(apply({sample_ops::center_crop(options)}, sample).at("boxes").shape,
            (std::vector<int64_t>{0, 4}));
}

TEST(GeometricOps, DropBoxesThatAreNoNumbers) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const float endless = std::numeric_limits<float>::infinity();
  Sample sample = drawn(4, 4, {0, 0, 1, 1});
  sample["boxes"] = boxes_of({none, 0, 2, 2, 0, 0, none, none, 3, 3, 1, 1, 0, 0, endless, 2});
  const Sample moved =
      apply({sample_ops::flip({.keys = {"image", "boxes"}, .horizontal = 1})}, sample);
  for (const float side : moved.at("boxes").values<float>()) {
    EXPECT_GE(side, 0);
    EXPECT_LE(side, 4);
  }
}

TEST(GeometricOps, SayWhichKeyDoesNotFit) {
  const auto infer = [](const Choice<SampleOp>& op, const std::vector<Spec>& specs) {
    return message_of<GraphError>([&] { (void)registry<SampleOp>().make(op)->infer(specs); });
  };
  const Spec image = SampleValue(Image{4, 4, 1, Bytes(16)}).spec;
  const Spec classes{
      .dtype = DType::kInt64, .shape = {kAnyLength}, .classes = 9, .role = Role::kClass};
  EXPECT_EQ(infer(sample_ops::flip({.keys = {"image", "classes"}}), {image, classes}),
            "flip: key 'classes' has a row for each box, but there are 0 keys of boxes in keys: "
            "image, classes. Give it one.");
  Spec fixed = boxes_spec();
  fixed.shape = {3, 4};
  EXPECT_EQ(
      infer(sample_ops::center_crop({.keys = {"image", "boxes"}, .size = {2}, .min_visible = 0.5}),
            {image, fixed}),
      "center_crop: key 'boxes' holds 3 boxes in every sample, so that none can be dropped. "
      "Leave out min_area and min_visible, or put it before the op that fills boxes up.");
  EXPECT_EQ(infer(sample_ops::random_crop({.size = {2}, .fill = 256}), {image}),
            "random_crop: fill must lie between 0 and 255 for the uint8 key 'image', but is 256.");
  Sample sample = drawn(4, 4, {0, 0, 1, 1});
  sample["mask"] = drawn(4, 3, {0, 0, 1, 1})["mask"];
  EXPECT_EQ(message_of<DataError>([&] {
              (void)apply({sample_ops::flip({.keys = {"image", "mask"}})}, sample);
            }),
            "key 'mask' is 4 x 3, but the image is 4 x 4; they must have the same size.");
}

TEST(RandomCrop, FillsMasksWithANumberOfTheirOwn) {
  const auto op = sample_ops::random_crop(
      {.keys = {"image", "mask"}, .size = {3}, .padding = 1, .fill = 9, .mask_fill = 255});
  const Sample moved = apply({op}, drawn(1, 1, {0, 0, 1, 1}));
  EXPECT_EQ(moved.at("mask").values<uint8_t>(), (Bytes{255, 255, 255, 255, 1, 255, 255, 255, 255}));
  EXPECT_EQ(moved.at("image").values<uint8_t>(), (Bytes{9, 9, 9, 9, 200, 9, 9, 9, 9}));
}

TEST(Resize, ByTheShorterSideKeepsTheShares) {
  const auto op = sample_ops::resize({.shorter = 4});
  EXPECT_EQ(apply(op, Image{15, 10, 1, Bytes(150)}).shape, (std::vector<int64_t>{4, 6, 1}));
  EXPECT_EQ(apply(op, Image{7, 9, 1, Bytes(63)}).shape, (std::vector<int64_t>{5, 4, 1}));
  SampleValue any = Image{7, 9, 1, Bytes(63)};
  any.spec.shape = {kAnyLength, kAnyLength, 1};
  EXPECT_EQ(apply(op, any).spec.text(), "uint8 [B, ?, ?, 1]");
}

TEST(RandomResizedCrop, DrawsAreasAndShapesWithinTheRange) {
  const ImageSize image{100, 150};
  std::set<int64_t> tops;
  for (uint64_t number = 0; number < 300; ++number) {
    Random random({.sample = number});
    const ImageRegion region = random_region(random, image, {0.2, 0.5, 0.5, 2});
    const double area = static_cast<double>(region.height * region.width) / 15000;
    const double ratio = static_cast<double>(region.width) / static_cast<double>(region.height);
    EXPECT_TRUE(area > 0.19 && area < 0.51 && ratio > 0.49 && ratio < 2.05);
    EXPECT_LE(region.top + region.height, 100);
    EXPECT_LE(region.left + region.width, 150);
    tops.insert(region.top);
  }
  EXPECT_GT(tops.size(), 30U);
}

TEST(RandomResizedCrop, TakesTheMiddleWhenNothingFits) {
  Random random({});
  const ImageRegion wide = random_region(random, {10, 1000}, {1, 1, 0.75, 4.0 / 3});
  EXPECT_EQ(wide.height, 10);
  EXPECT_EQ(wide.width, 13);
  EXPECT_EQ(wide.left, 493);
  const ImageRegion high = random_region(random, {1000, 10}, {1, 1, 0.75, 4.0 / 3});
  EXPECT_EQ(high.height, 13);
  EXPECT_EQ(high.top, 493);
  const ImageRegion point = random_region(random, {1, 1}, {});
  EXPECT_EQ(point.height * point.width, 1);
}

TEST(RandomResizedCrop, RefusesRangesTheWrongWayRound) {
  const auto make = [](const sample_ops::RandomResizedCropOptions& options) {
    return registry<SampleOp>().make(sample_ops::random_resized_crop(options));
  };
  EXPECT_THROW((void)make({.scale = {0.5, 0.2}}), ConfigError);
  EXPECT_THROW((void)make({.ratio = {1}}), ConfigError);
}

}  // namespace
}  // namespace hearth
