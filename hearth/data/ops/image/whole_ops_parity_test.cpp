// Ops beside torchvision's where neither hearth/data/image nor hearth/data/geometry has the whole
// of them: floats of bytes, pads, crops with padding, resized crops, erased rectangles, AugMix's
// mixtures and AutoAugment's tables.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/data/apply.h"
#include "hearth/data/geometry/resize_transform.h"
#include "hearth/data/image/auto_augment_policies.h"
#include "hearth/data/image/mixture.h"
#include "hearth/data/image/rectangle.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/ops/image/random_crop.h"
#include "hearth/data/ops/image/to_float.h"
#include "hearth/data/ops/pad_to.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;

const Json& parity() {
  static const Json numbers = [] {
    std::ifstream file(HEARTH_SOURCE_DIR "/tests/parity/whole_ops.json");
    return Json::parse(file);
  }();
  return numbers;
}

Bytes bytes_of(const Json& image) { return image.at("pixels").get<Bytes>(); }

Image stored_image(const char* name) {
  const Json& stored = parity().at(name);
  return {stored.at("width"), stored.at("height"), stored.at("channels"), bytes_of(stored)};
}

ImageRegion region_of(const Json& test) {
  const Json& region = test.at("region");
  return {region[0], region[1], region[2], region[3]};
}

TEST(WholeOpsParity, TurnsBytesIntoFloatsAsTorchvision) {
  const Floats made = apply(sample_ops::to_float(), stored_image("every_byte")).values<float>();
  EXPECT_EQ(made, parity().at("to_float").get<Floats>());
}

// Ours multiplies where torchvision divides: with these numbers it lies within 9e-7 of the exact
// result, torchvision's within 4e-7.
TEST(WholeOpsParity, NormalizesAsTorchvisionToWithinAMillionth) {
  const Json& test = parity().at("normalize");
  const Floats made = apply(sample_ops::normalize({.mean = test.at("mean"), .std = test.at("std")}),
                            stored_image("every_byte"))
                          .values<float>();
  const auto expected = test.at("values").get<Floats>();
  ASSERT_EQ(made.size(), expected.size());
  for (size_t i = 0; i < made.size(); ++i) EXPECT_NEAR(made[i], expected[i], 1e-6) << i;
}

// A crop as large as the image with its padding has one place.
TEST(WholeOpsParity, CropsWithPaddingAsTorchvision) {
  for (const Json& test : parity().at("around")) {
    const std::vector<int64_t> size = {test.at("height"), test.at("width")};
    const SampleValue made =
        apply(sample_ops::random_crop(
                  {.size = size, .padding = test.at("padding")[0], .fill = test.at("fill")}),
              stored_image("image"));
    EXPECT_EQ(made.values<uint8_t>(), bytes_of(test)) << test.at("padding");
  }
}

TEST(WholeOpsParity, FillsUpAtTheEndsAsTorchvision) {
  for (const Json& test : parity().at("at_end")) {
    const std::vector<int64_t> size = {test.at("height"), test.at("width")};
    const SampleValue made =
        apply(sample_ops::pad_to({.key = "image", .size = size, .fill = test.at("fill")}),
              stored_image("image"));
    EXPECT_EQ(made.values<uint8_t>(), bytes_of(test)) << test.at("padding");
  }
}

TEST(WholeOpsParity, ResizesAPartAsTorchvision) {
  for (const Json& test : parity().at("resized_crop")) {
    SampleValue image = stored_image("image");
    const ResizeTransform transform(region_of(test), {test.at("height"), test.at("width")},
                                    {resample_filter("bilinear"), test.at("antialias")});
    const Bytes expected = bytes_of(test);
    Bytes made(expected.size());
    transform.move_pixels(image.view(), reinterpret_cast<std::byte*>(made.data()));
    for (size_t i = 0; i < made.size(); ++i)
      EXPECT_NEAR(made[i], expected[i], 1) << test.at("region") << test.at("antialias");
  }
}

TEST(WholeOpsParity, ErasesAsTorchvision) {
  for (const Json& test : parity().at("erase")) {
    SampleValue image = stored_image("image");
    const ImageRegion region = region_of(test);
    fill_rectangle(image.view(), {region.top, region.left, region.height, region.width},
                   test.at("values").get<std::vector<double>>());
    EXPECT_EQ(image.values<uint8_t>(), bytes_of(test)) << test.at("region");
  }
}

TEST(WholeOpsParity, MixesChainsAsAugMix) {
  for (const Json& test : parity().at("mixture")) {
    const Image image = stored_image("image");
    const auto shares = test.at("shares").get<std::vector<double>>();
    auto images = test.at("images").get<std::vector<Bytes>>();
    const auto over = [&](Bytes& bytes) {
      return Pixels{image.height, image.width, image.channels, bytes.data()};
    };
    pixels::Mixture mixture(over(images[0]), shares[0]);
    for (size_t i = 1; i < images.size(); ++i) mixture.add(over(images[i]), shares[i]);
    Bytes made(image.pixels.size());
    mixture.write(over(made));
    EXPECT_EQ(made, bytes_of(test)) << test.at("shares");
  }
}

void expect_step(const pixels::PolicyStep& made, const Json& learned) {
  EXPECT_EQ(pixels::name(made.change), learned[0].get<std::string>());
  EXPECT_EQ(made.probability, learned[1].get<double>()) << learned;
  EXPECT_EQ(made.bin, learned[2].get<int64_t>()) << learned;
}

TEST(WholeOpsParity, HasAutoAugmentsTables) {
  for (const auto& [name, learned] : parity().at("policies").items()) {
    const auto pairs = pixels::auto_augment_policy(name);
    ASSERT_EQ(pairs.size(), learned.size()) << name;
    for (size_t i = 0; i < pairs.size(); ++i) {
      SCOPED_TRACE(name + " " + std::to_string(i));
      expect_step(pairs[i].first, learned[i][0]);
      expect_step(pairs[i].second, learned[i][1]);
    }
  }
}

}  // namespace
}  // namespace hearth
