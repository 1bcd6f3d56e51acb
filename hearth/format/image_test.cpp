// Tests of gray and resize.
#include "hearth/format/image.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {

namespace {

Image gray_image(int64_t width, int64_t height, std::vector<uint8_t> pixels) {
  return {width, height, 1, std::move(pixels)};
}

// The average of the covered area in floating point: the plain truth for shrinking.
uint8_t plain_average(const Image& image, int64_t x, int64_t y, int64_t width, int64_t height) {
  const double across = static_cast<double>(image.width) / static_cast<double>(width);
  const double down = static_cast<double>(image.height) / static_cast<double>(height);
  const auto overlap = [](int64_t pixel, int64_t index, double scale) {
    const auto low = static_cast<double>(index) * scale;
    return std::max(0.0, std::min<double>(static_cast<double>(pixel) + 1, low + scale) -
                             std::max(static_cast<double>(pixel), low));
  };
  double sum = 0;
  for (int64_t row = 0; row < image.height; ++row)
    for (int64_t column = 0; column < image.width; ++column)
      sum += overlap(row, y, down) * overlap(column, x, across) *
             image.pixels[static_cast<size_t>(row * image.width + column)];
  return static_cast<uint8_t>(sum / (across * down) + 0.5);
}

TEST(ToGray, WeighsTheColoursAndKeepsWhiteWhite) {
  const Image colours{4, 1, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}};
  EXPECT_EQ(to_gray(colours), gray_image(4, 1, {76, 150, 29, 255}));
  const Image with_alpha{1, 1, 4, {10, 10, 10, 0}};
  EXPECT_EQ(to_gray(with_alpha), gray_image(1, 1, {10}));
  EXPECT_EQ(to_gray(gray_image(1, 1, {7})), gray_image(1, 1, {7}));
}

TEST(Resize, AveragesTheAreaWhenItShrinks) {
  EXPECT_EQ(resize(gray_image(4, 2, {0, 4, 10, 20, 8, 12, 30, 40}), 2, 1),
            gray_image(2, 1, {6, 25}));
  EXPECT_EQ(resize(gray_image(3, 1, {0, 90, 180}), 2, 1), gray_image(2, 1, {30, 150}));
}

TEST(Resize, AgreesWithPlainAveragingOnOddSizes) {
  Image image{13, 11, 1, {}};
  for (int i = 0; i < 13 * 11; ++i) image.pixels.push_back(static_cast<uint8_t>(i * 37));
  const Image small = resize(image, 5, 4);
  for (int64_t y = 0; y < 4; ++y)
    for (int64_t x = 0; x < 5; ++x)
      EXPECT_NEAR(small.pixels[static_cast<size_t>(y * 5 + x)], plain_average(image, x, y, 5, 4),
                  1);
}

TEST(Resize, IsLinearBetweenCentresWhenItGrows) {
  EXPECT_EQ(resize(gray_image(2, 1, {0, 100}), 4, 1), gray_image(4, 1, {0, 25, 75, 100}));
  EXPECT_EQ(resize(gray_image(1, 2, {0, 100}), 1, 4), gray_image(1, 4, {0, 25, 75, 100}));
}

TEST(Resize, TreatsEachAxisAndChannelForItself) {
  const Image image{2, 2, 3, {0, 100, 200, 20, 120, 220, 0, 100, 200, 20, 120, 220}};
  const Image result = resize(image, 1, 3);
  EXPECT_EQ(result.channels, 3);
  EXPECT_EQ(result.pixels, (std::vector<uint8_t>{10, 110, 210, 10, 110, 210, 10, 110, 210}));
}

TEST(Resize, KeepsAFlatPictureFlatAtEverySize) {
  const Image image = gray_image(7, 5, std::vector<uint8_t>(35, 255));
  for (int64_t size = 1; size < 24; ++size)
    EXPECT_EQ(resize(image, size, 24 - size).pixels,
              std::vector<uint8_t>(static_cast<size_t>(size * (24 - size)), 255));
}

TEST(Resize, OfTheSameSizeChangesNothing) {
  const Image image = gray_image(2, 1, {3, 4});
  EXPECT_EQ(resize(image, 2, 1), image);
}

TEST(Resize, RefusesImpossibleSizes) {
  const Image image = gray_image(1, 1, {3});
  EXPECT_THROW((void)resize(image, 0, 1), ConfigError);
  EXPECT_THROW((void)resize(image, 1, -1), ConfigError);
  EXPECT_THROW((void)resize(image, 1 << 20, 1 << 20), ConfigError);
  EXPECT_THROW((void)resize({2, 2, 1, {1}}, 1, 1), InternalError);
}

TEST(LaidOver, MixesByAlpha) {
  const Image image{3, 1, 4, {10, 20, 30, 255, 10, 20, 30, 0, 255, 0, 100, 128}};
  EXPECT_EQ(laid_over(image, {200, 100, 0}).pixels,
            (std::vector<uint8_t>{10, 20, 30, 200, 100, 0, 228, 50, 50}));
  EXPECT_TRUE(is_transparent(image));
  EXPECT_FALSE(is_transparent({1, 1, 4, {1, 2, 3, 255}}));
  EXPECT_FALSE(is_transparent({1, 1, 3, {1, 2, 3}}));
}

}  // namespace

}  // namespace hearth
