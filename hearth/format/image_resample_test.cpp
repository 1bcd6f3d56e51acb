// Resizing against Pillow and torchvision, and the fast passes against the plain ones.
#include "hearth/format/image_resample.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/format/resample_passes.h"

namespace hearth {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr Resampling kSmooth{ResampleFilter::kBilinear};

Image noise_image(int64_t width, int64_t height, int64_t channels) {
  Image image{width, height, channels, Bytes(static_cast<size_t>(width * height * channels))};
  uint32_t state = 7;
  for (uint8_t& byte : image.pixels) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<uint8_t>(state >> 24);
  }
  return image;
}

ImageView view_of(const Image& image) {
  return {image.width, image.height, image.channels, image.pixels.data()};
}

Bytes resized(const Image& image, const ImageRegion& region, int64_t height, int64_t width,
              const Resampling& how) {
  Bytes to(static_cast<size_t>(height * width * image.channels));
  resize_region(view_of(image), region, height, width, how, to.data());
  return to;
}

nlohmann::json geometry_parity() {
  std::ifstream file(HEARTH_SOURCE_DIR "/tests/parity/geometry.json");
  return nlohmann::json::parse(file);
}

ResampleFilter filter_named(const std::string& name) {
  if (name == "nearest") return ResampleFilter::kNearest;
  return name == "bilinear" ? ResampleFilter::kBilinear : ResampleFilter::kBicubic;
}

int largest_difference(const Bytes& left, const Bytes& right) {
  int most = left.size() == right.size() ? 0 : 256;
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    most = std::max(most, std::abs(left[i] - right[i]));
  return most;
}

// Between its passes Pillow cuts off what bicubic weights take beyond black and white; torch does
// not.
int tolerance_of(const nlohmann::json& test) {
  if (test.at("by") == "Pillow") return 0;
  return test.at("mode") == "bicubic" ? 4 : 1;
}

TEST(ResizeRegion, HasTheBitsOfPillowAndIsCloseToTorchvision) {
  const auto parity = geometry_parity();
  for (const auto& test : parity.at("resize")) {
    const auto& stored = parity.at("images").at(test.at("image").get<size_t>());
    const Image image{stored.at("width"), stored.at("height"), stored.at("channels"),
                      stored.at("pixels").get<Bytes>()};
    const Resampling how{filter_named(test.at("mode")), test.at("antialias")};
    const Bytes made =
        resized(image, whole_of(view_of(image)), test.at("size").at(0), test.at("size").at(1), how);
    EXPECT_LE(largest_difference(made, test.at("pixels").get<Bytes>()), tolerance_of(test))
        << test.at("by") << " " << test.at("mode") << " " << test.at("size");
  }
}

TEST(ResizeRegion, IsWhatCuttingOutFirstGives) {
  const Image image = noise_image(23, 17, 3);
  const ImageRegion region{3, 5, 11, 14};
  Image part{14, 11, 3, {}};
  for (int64_t y = 3; y < 14; ++y)
    part.pixels.insert(part.pixels.end(), image.pixels.begin() + (y * 23 + 5) * 3,
                       image.pixels.begin() + (y * 23 + 19) * 3);
  for (const auto filter : {ResampleFilter::kNearest, ResampleFilter::kBilinear,
                            ResampleFilter::kBicubic, ResampleFilter::kArea})
    for (const auto& [height, width] : {std::pair{5, 30}, {11, 14}, {20, 6}, {11, 3}, {40, 14}})
      EXPECT_EQ(resized(image, region, height, width, {filter}),
                resized(part, whole_of(view_of(part)), height, width, {filter}));
}

TEST(ResizeRegion, TakesFloatsTheSameWay) {
  const Image image = noise_image(12, 9, 3);
  const std::vector<float> floats(image.pixels.begin(), image.pixels.end());
  for (const auto filter :
       {ResampleFilter::kNearest, ResampleFilter::kBilinear, ResampleFilter::kArea}) {
    std::vector<float> made(5 * 7 * 3);
    resize_region(FloatImageView{12, 9, 3, floats.data()}, {0, 0, 9, 12}, 5, 7, {filter},
                  made.data());
    const Bytes bytes = resized(image, {0, 0, 9, 12}, 5, 7, {filter});
    for (size_t i = 0; i < made.size(); ++i) EXPECT_NEAR(made[i], bytes[i], 1.01);
  }
}

TEST(ResizeRegion, RefusesWhatDoesNotLieInThePicture) {
  const Image image = noise_image(4, 4, 1);
  for (const ImageRegion& region : {ImageRegion{0, 0, 5, 4}, ImageRegion{-1, 0, 2, 2},
                                    ImageRegion{0, 0, 0, 2}, ImageRegion{3, 3, 2, 1}})
    EXPECT_THROW((void)resized(image, region, 2, 2, kSmooth), InternalError);
  EXPECT_THROW((void)resized(image, {0, 0, 4, 4}, 0, 2, kSmooth), InternalError);
}

// Widths around what is done at a time, up to the last row of a picture.
TEST(ResamplePasses, HaveTheBitsOfThePlainOnes) {
  for (const int64_t channels : {1, 3, 4, 5})
    for (const int64_t width : {1, 2, 3, 7, 16, 33, 64}) {
      const Image image = noise_image(width, 40, channels);
      for (const int64_t out : {1, 2, 5, 17, 48}) {
        ResampleTable table;
        table.fill(width, out, {ResampleFilter::kBicubic});
        Bytes fast(static_cast<size_t>(out * channels)), slow(fast.size());
        for (int64_t y = 0; y < 40; ++y) {
          const int64_t at = y * width * channels;
          resample_row(image.pixels.data() + at, 40 * width * channels - at, channels, table,
                       fast.data());
          plain::resample_row(image.pixels.data() + at, channels, table, slow.data());
          ASSERT_EQ(fast, slow) << channels << " channels, " << width << " to " << out;
        }
      }
    }
}

TEST(ResamplePasses, HaveTheBitsOfThePlainOnesDownColumns) {
  const Image image = noise_image(77, 6, 1);
  const std::vector<int32_t> weights = {-400'000, 900'000, 3'000'000, 1'500'000, -800'000, -5'696};
  std::vector<const uint8_t*> rows;
  for (int64_t y = 0; y < 6; ++y) rows.push_back(image.pixels.data() + y * 77);
  for (int64_t length = 1; length <= 77; ++length) {
    Bytes fast(static_cast<size_t>(length)), slow(fast.size());
    resample_column(rows, weights, length, fast.data());
    plain::resample_column(rows, weights, 0, length, slow.data());
    ASSERT_EQ(fast, slow) << length;
  }
}

TEST(ResampleTable, KeepsTablesOfTheSameSizes) {
  const ResampleTable* first = &resample_table(100, 10, kSmooth);
  EXPECT_EQ(&resample_table(100, 10, kSmooth), first);
  EXPECT_NE(&resample_table(100, 11, kSmooth), first);
  for (int64_t i = 1; i < 50; ++i) {
    const ResampleTable& left = resample_table(100 + i % 9, 10, kSmooth);
    const ResampleTable& right = resample_table(100, 20 + i, kSmooth);
    EXPECT_TRUE(left.is_for(100 + i % 9, 10, kSmooth));
    EXPECT_TRUE(right.is_for(100, 20 + i, kSmooth));
  }
}

}  // namespace
}  // namespace hearth
