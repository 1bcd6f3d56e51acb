// Geometric transforms and ops against torchvision.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/data/apply.h"
#include "hearth/data/geometry/displacement_transform.h"
#include "hearth/data/geometry/projective_transform.h"
#include "hearth/data/ops/image/center_crop.h"
#include "hearth/data/ops/image/five_crop.h"
#include "hearth/data/ops/image/flip.h"
#include "hearth/data/ops/image/rotate.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;
using nlohmann::json;

const json& parity() {
  static const json numbers = [] {
    std::ifstream file(HEARTH_SOURCE_DIR "/tests/parity/geometry.json");
    return json::parse(file);
  }();
  return numbers;
}

Image image_of(const json& test) {
  const json& stored = parity().at("images").at(test.at("image").get<size_t>());
  return {stored.at("width"), stored.at("height"), stored.at("channels"),
          stored.at("pixels").get<Bytes>()};
}

// A point whose place lies between two may come from either, when only the nearest counts.
void expect_close(const Bytes& made, const json& test, const std::string& what) {
  const auto expected = test.at("pixels").get<Bytes>();
  ASSERT_EQ(made.size(), expected.size());
  size_t others = 0;
  for (size_t i = 0; i < made.size(); ++i) others += std::abs(made[i] - expected[i]) > 1 ? 1 : 0;
  const size_t allowed = test.at("mode") == "nearest" ? (made.size() * 3 + 99) / 100 : 0;
  EXPECT_LE(others, allowed) << what << " " << test.at("mode") << ", image " << test.at("image");
}

Bytes moved(const Image& image, const ImageTransform& transform) {
  SampleValue value = image;
  Bytes made(image.pixels.size());
  transform.move_pixels(value.view(), reinterpret_cast<std::byte*>(made.data()));
  return made;
}

WarpStyle style_of(const json& test) {
  return {test.at("mode") == "bilinear", {test.value("fill", 0.0), 0}};
}

ImageSize size_of(const Image& image) { return {image.height, image.width}; }

TEST(GeometryParity, RotatesAsTorchvision) {
  for (const json& test : parity().at("rotate")) {
    const Image image = image_of(test);
    const double degrees = test.at("degrees");
    const auto made = apply(sample_ops::rotate({.degrees = {degrees, degrees},
                                                .expand = test.value("expand", false),
                                                .interpolation = test.at("mode"),
                                                .fill = test.at("fill")}),
                            image);
    expect_close(made.values<uint8_t>(), test, "rotate");
  }
}

TEST(GeometryParity, MovesAffinelyAsTorchvision) {
  for (const json& test : parity().at("affine")) {
    const Image image = image_of(test);
    const AffineMotion motion{.degrees = test.at("angle"),
                              .right = test.at("translate")[0],
                              .down = test.at("translate")[1],
                              .scale = test.at("scale"),
                              .shear_x = test.at("shear")[0],
                              .shear_y = test.at("shear")[1]};
    const ProjectiveMap source = affine_source(motion, middle_of(size_of(image)));
    expect_close(moved(image, ProjectiveTransform(source, size_of(image), style_of(test))), test,
                 "affine");
  }
}

TEST(GeometryParity, ShowsPerspectivesAsTorchvision) {
  const auto places = [](const json& corners) {
    FourPlaces made;
    for (size_t i = 0; i < 4; ++i) made[i] = {corners[i][0], corners[i][1]};
    return made;
  };
  for (const json& test : parity().at("perspective")) {
    const Image image = image_of(test);
    const ProjectiveMap source =
        perspective_between(places(test.at("end")), places(test.at("start")));
    expect_close(moved(image, ProjectiveTransform(source, size_of(image), style_of(test))), test,
                 "perspective");
  }
}

TEST(GeometryParity, MovesPointsAsTorchvision) {
  for (const json& test : parity().at("elastic")) {
    const Image image = image_of(test);
    const auto across = test.at("across").get<std::vector<float>>();
    const auto down = test.at("down").get<std::vector<float>>();
    const DisplacementTransform transform({across, down}, size_of(image), style_of(test));
    expect_close(moved(image, transform), test, "elastic");
  }
}

TEST(GeometryParity, CutsAndMirrorsAsTorchvision) {
  for (const json& test : parity().at("window")) {
    const SampleValue image = image_of(test);
    const std::string op = test.at("op");
    Bytes made;
    if (op == "center_crop") {
      made = apply(sample_ops::center_crop({.size = test.at("size")}), image).values<uint8_t>();
    } else if (op == "five_crop") {
      const Sample crops = apply(
          {sample_ops::five_crop({.size = test.at("size"), .into = {"0", "1", "2", "3", "4"}})},
          {{"image", image}});
      made = crops.at(std::to_string(test.at("number").get<int>())).values<uint8_t>();
    } else {
      const double across = op == "hflip" ? 1 : 0;
      made = apply(sample_ops::flip({.horizontal = across, .vertical = 1 - across}), image)
                 .values<uint8_t>();
    }
    EXPECT_EQ(made, test.at("pixels").get<Bytes>()) << op;
  }
}

}  // namespace
}  // namespace hearth
