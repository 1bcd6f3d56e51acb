// Tests of PNG.
#include "hearth/format/png.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth {

namespace {

Image test_picture(int64_t channels) {
  Image image{3, 2, channels, {}};
  for (int64_t i = 0; i < 6 * channels; ++i) image.pixels.push_back(static_cast<uint8_t>(i * 11));
  return image;
}

std::string png_message(std::string_view bytes, const PngLimits& limits = {}) {
  try {
    (void)decode_png(bytes, 3, "x.png", limits);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

std::string big_endian(uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
  return text;
}

std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return big_endian(static_cast<uint32_t>(data.size())) + body +
         big_endian(static_cast<uint32_t>(checksum));
}

std::string deflated(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
           raw.size());
  return out.substr(0, size);
}

// A PNG of any kind: header fields, chunks before the pixels, raw rows with filter bytes.
std::string raw_png(uint32_t width, uint32_t height, char depth, char colour,
                    const std::string& before, const std::string& raw) {
  return "\x89PNG\r\n\x1a\n" +
         png_chunk("IHDR",
                   big_endian(width) + big_endian(height) + depth + colour + std::string(3, '\0')) +
         before + png_chunk("IDAT", deflated(raw)) + png_chunk("IEND", "");
}

TEST(Png, RoundTripsGrayRgbAndRgba) {
  for (const int64_t channels : {1, 3, 4})
    EXPECT_EQ(decode_png(encode_png(test_picture(channels)), channels, "x"),
              test_picture(channels));
}

TEST(Png, GivesTheChannelsAskedFor) {
  const std::string gray = encode_png({1, 1, 1, {9}});
  EXPECT_EQ(decode_png(gray, 3, "x").pixels, (std::vector<uint8_t>{9, 9, 9}));
  EXPECT_EQ(decode_png(gray, 4, "x").pixels, (std::vector<uint8_t>{9, 9, 9, 255}));
  const std::string colour = encode_png({1, 1, 4, {255, 0, 0, 128}});
  EXPECT_EQ(decode_png(colour, 1, "x").pixels, std::vector<uint8_t>{76});
  EXPECT_EQ(decode_png(colour, 3, "x").pixels, (std::vector<uint8_t>{255, 0, 0}));
  EXPECT_THROW((void)decode_png(gray, 2, "x"), InternalError);
}

TEST(Png, ReadsPalettesSixteenBitsAndSingleBits) {
  const std::string palette = png_chunk("PLTE", std::string("\x01\x02\x03\x0a\x0b\x0c", 6));
  EXPECT_EQ(decode_png(raw_png(2, 1, 8, 3, palette, std::string("\0\1\0", 3)), 3, "x").pixels,
            (std::vector<uint8_t>{10, 11, 12, 1, 2, 3}));
  const std::string deep = raw_png(1, 1, 16, 0, "", std::string("\0\x80\x12", 3));
  EXPECT_EQ(decode_png(deep, 1, "x").pixels, std::vector<uint8_t>{0x80});
  const std::string bits = raw_png(3, 1, 1, 0, "", std::string("\0\xa0", 2));
  EXPECT_EQ(decode_png(bits, 1, "x").pixels, (std::vector<uint8_t>{255, 0, 255}));
}

std::vector<uint8_t> png_numbers(const std::string& bytes) {
  std::vector<uint8_t> numbers;
  decode_png_numbers_into(bytes, "x.png", [&](int64_t height, int64_t width) {
    numbers.resize(static_cast<size_t>(height * width));
    return numbers.data();
  });
  return numbers;
}

TEST(Png, GivesNumbersAsTheFileHasThem) {
  const std::string palette = png_chunk("PLTE", std::string("\x01\x02\x03\x0a\x0b\x0c", 6));
  EXPECT_EQ(png_numbers(raw_png(2, 1, 8, 3, palette, std::string("\0\1\0", 3))),
            (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(png_numbers(raw_png(3, 1, 2, 0, "", std::string("\0\xe4", 2))),
            (std::vector<uint8_t>{3, 2, 1}));
  EXPECT_EQ(png_numbers(encode_png({2, 1, 1, {7, 200}})), (std::vector<uint8_t>{7, 200}));
  EXPECT_THROW((void)png_numbers(encode_png(test_picture(3))), DataError);
  EXPECT_EQ(png_size(encode_png(test_picture(3)), "x"), (PictureSize{2, 3}));
}

TEST(Png, NoticesTruncationAtEveryLength) {
  const std::string bytes = encode_png(test_picture(3));
  // Not the last four bytes: libspng does without the checksum of the empty end mark.
  for (size_t length = 0; length < bytes.size() - 4; ++length)
    EXPECT_NE(png_message(bytes.substr(0, length)), "no DataError") << length;
  EXPECT_EQ(png_message(bytes.substr(0, 40)),
            "x.png: the PNG ends too early; it is truncated, get it again.");
}

TEST(Png, NoticesEveryChangedBit) {
  const std::string bytes = encode_png(test_picture(3));
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(png_message(changed), "no DataError") << bit;
  }
}

TEST(Png, RefusesSizesAboveTheLimitsBeforeTakingMemory) {
  EXPECT_EQ(png_message(raw_png(8193, 8192, 8, 2, "", "x")),
            "x.png: the PNG is 8193 x 8192, the limit is 67108864 pixels. Scale it down.");
  EXPECT_THAT(png_message(raw_png(70000, 1, 8, 2, "", "x")), testing::HasSubstr("width"));
  EXPECT_EQ(png_message(encode_png(test_picture(3)), {.pixels = 5}),
            "x.png: the PNG is 3 x 2, the limit is 5 pixels. Scale it down.");
}

TEST(Png, RefusesMorePixelsThanTheFileCanHold) {
  const std::string bytes = raw_png(8000, 8000, 8, 2, "", "x");
  EXPECT_EQ(png_message(bytes), "x.png: the PNG claims 8000 x 8000 pixels, but its " +
                                    std::to_string(bytes.size()) +
                                    " bytes cannot hold them; it is truncated or damaged.");
}

TEST(Png, PacksAFlatPictureBelowTheRatioItself) {
  const Image flat{1000, 1000, 1, std::vector<uint8_t>(1'000'000)};
  EXPECT_EQ(decode_png(encode_png(flat), 1, "x"), flat);
}

TEST(Png, SaysThatAnotherFormatIsNotPng) {
  EXPECT_EQ(png_message("\xff\xd8\xff\xe0 a JPEG file, quite long enough to be looked at"),
            "x.png: not a PNG that can be read: invalid signature.");
}

TEST(Png, LoadsAFileAndNamesItInErrors) {
  const fs::path path = fs::temp_directory_path() / ("hearth_png_" + std::to_string(getpid()));
  write_file_durably(path, encode_png(test_picture(1)));
  EXPECT_EQ(load_png(path, 1), test_picture(1));
  fs::remove(path);
  EXPECT_THROW((void)load_png(path, 1), DataError);
}

}  // namespace

}  // namespace hearth
