// Tests of BMP: the kinds that Pillow does not write, and hostile headers. See picture_test.cpp.
#include "hearth/format/bmp.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"

namespace hearth {

namespace {

std::string little_endian(uint32_t value, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += static_cast<char>(i < 4 ? value >> (8 * i) : 0);
  return text;
}

struct BmpFile {
  int32_t width = 1;
  int32_t height = 1;
  uint32_t depth = 24;
  uint32_t packing = 0;
  uint32_t colours = 0;
  std::string between = {};  // masks or a palette
  std::string rows = {};
};

std::string bmp_bytes(const BmpFile& file) {
  const auto start = static_cast<uint32_t>(54 + file.between.size());
  return "BM" + little_endian(0, 8) + little_endian(start, 4) + little_endian(40, 4) +
         little_endian(static_cast<uint32_t>(file.width), 4) +
         little_endian(static_cast<uint32_t>(file.height), 4) + little_endian(1, 2) +
         little_endian(file.depth, 2) + little_endian(file.packing, 4) + little_endian(0, 12) +
         little_endian(file.colours, 4) + little_endian(0, 4) + file.between + file.rows;
}

std::vector<uint8_t> bmp_pixels(const std::string& bytes, int64_t channels) {
  std::vector<uint8_t> pixels;
  decode_bmp_into(bytes, channels, "x.bmp", [&](int64_t height, int64_t width) {
    pixels.resize(static_cast<size_t>(height * width * channels));
    return pixels.data();
  });
  return pixels;
}

std::string bmp_message(const std::string& bytes) {
  return message_of<DataError>([&] { (void)bmp_pixels(bytes, 3); });
}

TEST(Bmp, ReadsRowsFromTheTopWhenTheHeightIsNegative) {
  const std::string rows = little_endian(0x030201, 4) + little_endian(0x060504, 4);
  EXPECT_EQ(bmp_pixels(bmp_bytes({.height = -2, .rows = rows}), 3),
            (std::vector<uint8_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(bmp_pixels(bmp_bytes({.height = 2, .rows = rows}), 3),
            (std::vector<uint8_t>{6, 5, 4, 3, 2, 1}));
}

TEST(Bmp, ReadsSixteenBitsAndMasks) {
  EXPECT_EQ(bmp_pixels(bmp_bytes({.depth = 16, .rows = little_endian(0x7c1f, 4)}), 3),
            (std::vector<uint8_t>{255, 0, 255}));
  const std::string masks =
      little_endian(0xf800, 4) + little_endian(0x07e0, 4) + little_endian(0x1f, 4);
  EXPECT_EQ(
      bmp_pixels(
          bmp_bytes(
              {.depth = 16, .packing = 3, .between = masks, .rows = little_endian(0x07ff, 4)}),
          3),
      (std::vector<uint8_t>{0, 255, 255}));
}

TEST(Bmp, ReadsAlphaWhereThereIsAMaskForIt) {
  const std::string masks = little_endian(0xff0000, 4) + little_endian(0xff00, 4) +
                            little_endian(0xff, 4) + little_endian(0xff000000, 4);
  EXPECT_EQ(
      bmp_pixels(
          bmp_bytes(
              {.depth = 32, .packing = 6, .between = masks, .rows = little_endian(0x40102030, 4)}),
          4),
      (std::vector<uint8_t>{0x10, 0x20, 0x30, 0x40}));
  EXPECT_EQ(bmp_pixels(bmp_bytes({.depth = 32, .rows = little_endian(0x40102030, 4)}), 4),
            (std::vector<uint8_t>{0x10, 0x20, 0x30, 255}));
}

TEST(Bmp, APixelBeyondThePaletteIsBlack) {
  EXPECT_EQ(bmp_pixels(bmp_bytes({.depth = 8,
                                  .colours = 1,
                                  .between = little_endian(0x010203, 4),
                                  .rows = std::string("\xc8\0\0\0", 4)}),
                       3),
            (std::vector<uint8_t>{0, 0, 0}));
}

TEST(Bmp, RefusesWhatItCannotReadAndWhatCannotBe) {
  EXPECT_EQ(bmp_message(bmp_bytes({.depth = 8, .packing = 1})),
            "x.bmp: the BMP is packed by run lengths, which cannot be read. Save it without "
            "compression, or as PNG.");
  EXPECT_EQ(bmp_message(bmp_bytes({.depth = 7})),
            "x.bmp: not a BMP that can be read: 7 bits a pixel with packing 0 are not known.");
  EXPECT_EQ(bmp_message(bmp_bytes({.width = 0})),
            "x.bmp: not a BMP that can be read: its size is not above zero.");
  EXPECT_EQ(bmp_message(bmp_bytes({.height = INT32_MIN})),
            "x.bmp: the BMP is 1 x 2147483648, the limit is 67108864 pixels. Scale it down.");
  EXPECT_EQ(bmp_message(bmp_bytes({.width = 8000, .height = 8000})),
            "x.bmp: the BMP claims 8000 x 8000 pixels, but its 54 bytes cannot hold them; it is "
            "truncated or damaged.");
}

}  // namespace

}  // namespace hearth
