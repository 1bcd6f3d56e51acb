// Ops on images of any size: decode, resize, crops, padding.
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/ops/image/random_crop.h"
#include "hearth/data/ops/image/resize.h"
#include "hearth/data/ops/pad_to.h"
#include "hearth/data/ops/text/byte_tokens.h"
#include "hearth/format/png.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;

std::unique_ptr<SampleOp> make(const Choice<SampleOp>& choice) {
  return registry<SampleOp>().make(choice);
}

Spec image_spec(std::vector<int64_t> shape = {kAnyLength, kAnyLength, 1}) {
  Spec spec{.dtype = DType::kUint8, .shape = std::move(shape), .role = Role::kImage};
  spec.image_range = {0.0, 255.0};
  return spec;
}

const Spec kEncoded{.dtype = DType::kUint8, .shape = {kAnyLength}, .role = Role::kEncodedImage};

// A value with its own shape and memory.
struct Value {
  Spec spec;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
  template <class T>
  Value(Spec of, std::vector<int64_t> sizes, const std::vector<T>& values)
      : spec(std::move(of)), shape(std::move(sizes)), bytes(values.size() * sizeof(T)) {
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  [[nodiscard]] View view() { return {bytes.data(), &spec, shape}; }
};

// Runs an op on values of any size; the outputs are all taken from ragged memory or made fixed.
struct Ran {
  RaggedMemory memory;
  std::vector<RaggedValue> ragged;
  std::vector<std::vector<std::byte>> fixed;
  std::vector<Spec> specs;
  std::vector<Cell> cells;

  Ran(const SampleOp& op, std::vector<Value> inputs, RandomIdentity identity = {}) {
    std::vector<Spec> given;
    std::vector<View> views;
    for (Value& input : inputs) {
      given.push_back(input.spec);
      views.push_back(input.view());
    }
    specs = op.infer(given);
    ragged.reserve(specs.size());
    fixed.resize(specs.size());
    for (size_t k = 0; k < specs.size(); ++k) {
      if (specs[k].is_ragged()) {
        cells.emplace_back(ragged.emplace_back(memory), specs[k]);
      } else {
        fixed[k].resize(static_cast<size_t>(specs[k].bytes()));
        cells.emplace_back(fixed[k].data(), specs[k]);
      }
    }
    Random random(identity);
    op.run(random, views, cells);
  }
  template <class T>
  [[nodiscard]] std::vector<T> out(size_t k = 0) const {
    const auto values = cells[k].as<T>();
    return {values.begin(), values.end()};
  }
  [[nodiscard]] std::vector<int64_t> shape(size_t k = 0) const {
    const auto shape = cells[k].view().shape;
    return {shape.begin(), shape.end()};
  }
};

Bytes encoded(const Image& image) {
  const std::string png = encode_png(image);
  return {png.begin(), png.end()};
}

TEST(Decode, GivesThePixelsOfAPng) {
  const Bytes png = encoded({3, 2, 1, {1, 2, 3, 4, 5, 6}});
  const auto op = make(sample_ops::decode({.channels = 1}));
  const Ran ran(*op, {{kEncoded, {static_cast<int64_t>(png.size())}, png}});
  EXPECT_EQ(ran.shape(), (std::vector<int64_t>{2, 3, 1}));
  EXPECT_EQ(ran.out<uint8_t>(), (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(ran.specs[0].text(), "uint8 [B, ?, ?, 1]");
  EXPECT_EQ(ran.specs[0].image_range, (std::pair{0.0, 255.0}));
}

TEST(Decode, MakesTheChannelsItIsAskedFor) {
  const Bytes gray = encoded({1, 1, 1, {7}});
  const Ran colours(*make(sample_ops::decode()),
                    {{kEncoded, {static_cast<int64_t>(gray.size())}, gray}});
  EXPECT_EQ(colours.out<uint8_t>(), (Bytes{7, 7, 7}));
  const Bytes red = encoded({1, 1, 3, {255, 0, 0}});
  const Ran luma(*make(sample_ops::decode({.channels = 1})),
                 {{kEncoded, {static_cast<int64_t>(red.size())}, red}});
  EXPECT_EQ(luma.out<uint8_t>(), (Bytes{76}));
}

TEST(Decode, SaysWhatItCannotRead) {
  const auto op = make(sample_ops::decode());
  const Bytes other = {'G', 'I', 'F', '8'};
  EXPECT_EQ(message_of<DataError>([&] {
              Ran(*op, {{kEncoded, {4}, other}});
            }),
            "the image: is a GIF, which cannot be read. Convert it to PNG, JPEG, WebP or BMP.");
  EXPECT_EQ(message_of<GraphError>([&] { (void)op->infer({image_spec()}); }),
            "decode: key 'image' must hold images as their files have them (role encoded_image), "
            "but is uint8 [B, ?, ?, 1] and image.");
  EXPECT_THROW((void)make(sample_ops::decode({.channels = 2})), ConfigError);
}

TEST(Resize, BringsImagesOfAnySizeToOne) {
  const auto op = make(sample_ops::resize({.size = {1, 2}}));
  const Ran ran(*op, {{image_spec(), {2, 4, 1}, Bytes{1, 3, 5, 7, 1, 3, 5, 7}}});
  EXPECT_EQ(ran.specs[0].text(), "uint8 [B, 1, 2, 1]");
  EXPECT_EQ(ran.out<uint8_t>(), (Bytes{2, 6}));
}

TEST(Resize, TakesTheNearestPointOfAMask) {
  const Spec mask{.dtype = DType::kInt64, .shape = {kAnyLength, kAnyLength}, .role = Role::kMask};
  const Ran ran(*make(sample_ops::resize({.size = {2}})),
                {{mask, {4, 2}, std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8}}});
  EXPECT_EQ(ran.out<int64_t>(), (std::vector<int64_t>{3, 4, 7, 8}));
}

TEST(Resize, SaysWhatItNeeds) {
  const auto op = make(sample_ops::resize());
  Spec wide = image_spec({8, 8, 1});
  wide.dtype = DType::kInt64;
  EXPECT_EQ(message_of<GraphError>([&] { (void)op->infer({wide}); }),
            "resize: the image 'image' must be of bytes or float32, but is int64 [B, 8, 8, 1].");
  EXPECT_EQ(message_of<GraphError>([&] { (void)op->infer({kEncoded}); }),
            "resize: key 'image' must be an image, [B, height, width, channels], or a mask, [B, "
            "height, width], but is uint8 [B, ?] and encoded_image. Put decode before it.");
  EXPECT_THROW((void)make(sample_ops::resize({.size = {1, 2, 3}})), ConfigError);
}

TEST(CenterCrop, TakesTheMiddleOfAnImageAndItsBoxes) {
  const auto op = make(sample_ops::center_crop({.keys = {"image", "boxes"}, .size = {1, 2}}));
  const Spec boxes{.shape = {kAnyLength, 4}, .role = Role::kBoxes};
  const Ran ran(*op, {{image_spec(), {3, 4, 1}, Bytes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
                      {boxes, {1, 4}, std::vector<float>{0, 0, 2, 3}}});
  EXPECT_EQ(ran.out<uint8_t>(0), (Bytes{5, 6}));
  EXPECT_EQ(ran.out<float>(1), (std::vector<float>{0, 0, 1, 1}));
  EXPECT_EQ(ran.shape(1), (std::vector<int64_t>{1, 4}));
  EXPECT_THROW(
      Ran(*op, {{image_spec(), {1, 1, 1}, Bytes{0}}, {boxes, {0, 4}, std::vector<float>{}}}),
      DataError);
}

// The place of a window shows in the value of its corner, and is the same for image and mask.
TEST(RandomCrop, CutsImageMaskAndPointsTheSameWay) {
  const auto op = make(sample_ops::random_crop({.keys = {"image", "mask", "points"}, .size = {2}}));
  const Spec mask{.dtype = DType::kUint8, .shape = {kAnyLength, kAnyLength}, .role = Role::kMask};
  const Spec points{.shape = {1, 2}, .role = Role::kPoints};
  std::set<uint8_t> corners;
  for (uint64_t sample = 0; sample < 100; ++sample) {
    const Bytes values = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const Ran ran(*op,
                  {{image_spec(), {3, 3, 1}, values},
                   {mask, {3, 3}, values},
                   {points, {1, 2}, std::vector<float>{1, 1}}},
                  {.sample = sample});
    const uint8_t corner = ran.out<uint8_t>(0)[0];
    corners.insert(corner);
    EXPECT_EQ(ran.out<uint8_t>(0), ran.out<uint8_t>(1));
    EXPECT_EQ(ran.out<float>(2), (std::vector<float>{1 - static_cast<float>(corner % 3),
                                                     1 - static_cast<float>(corner / 3)}));
  }
  EXPECT_EQ(corners, (std::set<uint8_t>{0, 1, 3, 4}));
}

TEST(RandomCrop, FillsWhatLiesOutsideOfTheImage) {
  const auto op = make(sample_ops::random_crop({.size = {3}, .padding = 1, .fill = 9}));
  for (uint64_t sample = 0; sample < 20; ++sample) {
    const Ran ran(*op, {{image_spec(), {1, 1, 1}, Bytes{5}}}, {.sample = sample});
    EXPECT_EQ(ran.out<uint8_t>(), (Bytes{9, 9, 9, 9, 5, 9, 9, 9, 9}));
  }
  EXPECT_EQ(
      message_of<DataError>([&] {
        Ran(*make(sample_ops::random_crop({.size = {3}})), {{image_spec(), {3, 2, 1}, Bytes(6)}});
      }),
      "the image is 2 points wide, with 0 of padding on each side, but the crop is 3. Put "
      "resize before it, or use more padding.");
}

// Where the size is known before there is an image, so is the fault.
TEST(Crops, OfMoreThanTheImageAreRefusedBySpec) {
  Spec small = image_spec();
  small.shape = {kAnyLength, 8, 1};
  EXPECT_EQ(message_of<GraphError>(
                [&] { (void)make(sample_ops::center_crop({.size = {9}}))->infer({small}); }),
            "center_crop: the image is ? x 8, smaller than the crop of 9 x 9. Put resize or pad_to "
            "before it.");
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)make(sample_ops::random_crop({.size = {13}, .padding = 2}))->infer({small});
            }),
            "random_crop: the image is 8 points wide, with 2 of padding on each side, but the crop "
            "is 13. Put resize before it, or use more padding.");
  EXPECT_NO_THROW((void)make(sample_ops::center_crop({.size = {99, 8}}))->infer({small}));
  EXPECT_NO_THROW(
      (void)make(sample_ops::random_crop({.size = {12}, .padding = 2}))->infer({small}));
}

TEST(RandomCrop, RefusesKeysThatHaveNoPlaceInAnImage) {
  const auto op = make(sample_ops::random_crop({.keys = {"image", "label"}, .size = {2}}));
  const Spec label{.dtype = DType::kInt64, .classes = 2, .role = Role::kClass};
  EXPECT_EQ(message_of<GraphError>([&] {
              (void)op->infer({image_spec(), label});
            }),
            "random_crop: key 'label' must be an image, [B, height, width, channels], or a mask, "
            "[B, height, width], but is int64 [B], 2 classes and class.");
  EXPECT_THROW((void)op->infer({label, label}), GraphError);
}

TEST(PadTo, FillsAnImageUpAtItsEnds) {
  const Ran ran(*make(sample_ops::pad_to({.key = "image", .size = {2, 3}, .fill = 9})),
                {{image_spec(), {1, 2, 1}, Bytes{1, 2}}});
  EXPECT_EQ(ran.specs[0].text(), "uint8 [B, 2, 3, 1]");
  EXPECT_EQ(ran.out<uint8_t>(), (Bytes{1, 2, 9, 9, 9, 9}));
}

TEST(PadTo, RefusesWhatCannotBeFilledUp) {
  const auto op = make(sample_ops::pad_to({.size = {4}}));
  EXPECT_EQ(
      message_of<GraphError>([&] { (void)op->infer({kEncoded}); }),
      "pad_to: key 'tokens' holds encoded_image, which cannot be filled up. Put decode before "
      "it.");
  EXPECT_THROW((void)op->infer({Spec()}), GraphError);
  const Spec longer{.dtype = DType::kInt64, .shape = {5}, .role = Role::kTokens};
  EXPECT_EQ(message_of<GraphError>([&] { (void)op->infer({longer}); }),
            "pad_to: key 'tokens' is 5 long, more than the size of 4. Use a larger size, or "
            "too_long: cut.");
  EXPECT_NO_THROW(
      (void)make(sample_ops::pad_to({.size = {4}, .too_long = "cut"}))->infer({longer}));
}

TEST(ByteTokens, AreTheBytesOfTheText) {
  const Spec text{.dtype = DType::kUint8, .shape = {kAnyLength}, .role = Role::kText};
  const Ran ran(*make(sample_ops::byte_tokens()), {{text, {2}, Bytes{'a', 0xC3}}});
  EXPECT_EQ(ran.out<int64_t>(), (std::vector<int64_t>{'a' + 1, 0xC3 + 1}));
  EXPECT_EQ(ran.specs[0].text(), "int64 [B, ?], 257 classes");
  EXPECT_EQ(ran.specs[0].role, Role::kTokens);
  EXPECT_THROW((void)make(sample_ops::byte_tokens())->infer({kEncoded}), GraphError);
}

}  // namespace
}  // namespace hearth
