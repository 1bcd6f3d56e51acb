// Tests of JPEG: whole, in part, smaller, damaged and hostile.
#include "hearth/format/jpeg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/format/jpeg_writer.h"

namespace hearth {

namespace {

// Colours with edges, and noise that no two pictures share.
Image busy_picture(int64_t width, int64_t height, int64_t channels, uint32_t seed = 1) {
  Image image{width, height, channels, {}};
  uint32_t state = seed * 2654435761U + 1;
  for (int64_t i = 0; i < width * height * channels; ++i) {
    state = state * 1664525U + 1013904223U;
    const auto smooth = static_cast<uint32_t>(i * 5 / channels);
    image.pixels.push_back(static_cast<uint8_t>(smooth + (state >> 27)));
  }
  return image;
}

std::string jpeg_message(std::string_view bytes, const JpegLimits& limits = {}) {
  try {
    (void)decode_jpeg(bytes, 3, "x.jpg", limits);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

struct Part {
  Image image;
  PictureWindow window;
};

Part part_of(const std::string& bytes, const PicturePart& part, int64_t channels = 3) {
  Part result{{0, 0, channels, {}}, {}};
  const auto place = [&](int64_t height, int64_t width) {
    result.image.height = height;
    result.image.width = width;
    result.image.pixels.resize(static_cast<size_t>(height * width * channels));
    return result.image.pixels.data();
  };
  result.window = decode_jpeg_part(bytes, channels, part, "x.jpg", place);
  return result;
}

// The points of `window`, whose place in `part.image` is told by part.window.
std::vector<uint8_t> points_of(const Part& part, const PictureWindow& window) {
  std::vector<uint8_t> points;
  for (int64_t y = 0; y < window.size.height; ++y) {
    const int64_t row = window.top - part.window.top + y;
    const int64_t start = row * part.image.width + window.left - part.window.left;
    const auto begin = part.image.pixels.begin() + start * part.image.channels;
    points.insert(points.end(), begin, begin + window.size.width * part.image.channels);
  }
  return points;
}

TEST(Jpeg, ComesCloseToWhatWasWritten) {
  const Image flat{20, 10, 3, std::vector<uint8_t>(600, 200)};
  EXPECT_EQ(decode_jpeg(encode_jpeg(flat), 3, "x"), flat);
  const Image gray{9, 9, 1, std::vector<uint8_t>(81, 77)};
  EXPECT_EQ(decode_jpeg(encode_jpeg(gray), 1, "x"), gray);
}

TEST(Jpeg, GivesTheChannelsAskedFor) {
  const std::string gray = encode_jpeg({8, 8, 1, std::vector<uint8_t>(64, 90)});
  EXPECT_EQ(decode_jpeg(gray, 3, "x").pixels, std::vector<uint8_t>(192, 90));
  const Image opaque = decode_jpeg(gray, 4, "x");
  EXPECT_EQ(opaque.pixels[2], 90);
  EXPECT_EQ(opaque.pixels[3], 255);
  EXPECT_EQ(decode_jpeg(encode_jpeg(busy_picture(8, 8, 3)), 1, "x").pixels.size(), 64U);
  EXPECT_THROW((void)decode_jpeg(gray, 2, "x"), InternalError);
}

TEST(Jpeg, TellsTheSizeFromTheHeaderAlone) {
  const std::string bytes = encode_jpeg(busy_picture(40, 31, 3));
  EXPECT_EQ(jpeg_size(std::string_view(bytes).substr(0, 640), "x"), (PictureSize{31, 40}));
}

// Every window of a small picture would be too many; these meet all borders of blocks.
TEST(Jpeg, APartHasThePointsOfTheWhole) {
  for (const bool is_progressive : {false, true})
    for (const bool has_full_colour : {false, true}) {
      const std::string bytes =
          encode_jpeg(busy_picture(67, 53, 3), {80, is_progressive, has_full_colour});
      const Part whole{decode_jpeg(bytes, 3, "x"), {}};
      for (int64_t top = 0; top < 53; top += 7)
        for (int64_t left = 0; left < 67; left += 5) {
          const PictureWindow window{
              top, left, {1 + (top * 31) % (53 - top), 1 + (left * 17) % (67 - left)}};
          EXPECT_EQ(points_of(part_of(bytes, {window}), window), points_of(whole, window))
              << top << " " << left;
        }
    }
}

TEST(Jpeg, ASmallerPictureIsNearTheMeanOfItsPoints) {
  Image smooth{64, 48, 3, {}};
  for (int64_t y = 0; y < 48; ++y)
    for (int64_t x = 0; x < 64; ++x)
      for (const int64_t value : {3 * x, 4 * y, x + y})
        smooth.pixels.push_back(static_cast<uint8_t>(value));
  const std::string bytes = encode_jpeg(smooth, {95});
  for (const int64_t shrink : {2, 4, 8}) {
    const PictureWindow all{0, 0, {48 / shrink, 64 / shrink}};
    const Part part = part_of(bytes, {all, shrink});
    const Image expected = resize(smooth, 64 / shrink, 48 / shrink);
    for (size_t i = 0; i < expected.pixels.size(); ++i)
      EXPECT_NEAR(part.image.pixels[i], expected.pixels[i], 4) << shrink << " " << i;
  }
}

TEST(Jpeg, APartOutsideOfThePictureIsADefect) {
  const std::string bytes = encode_jpeg(busy_picture(10, 10, 3));
  EXPECT_THROW((void)part_of(bytes, {{5, 5, {6, 2}}}), InternalError);
  EXPECT_THROW((void)part_of(bytes, {{0, 0, {2, 2}}, 3}), InternalError);
}

TEST(Jpeg, NoticesTruncationAtEveryLength) {
  for (const bool is_progressive : {false, true}) {
    const std::string bytes = encode_jpeg(busy_picture(24, 17, 3), {90, is_progressive});
    for (size_t length = 0; length < bytes.size(); ++length)
      EXPECT_NE(jpeg_message(bytes.substr(0, length)), "no DataError") << length;
    EXPECT_EQ(jpeg_message(bytes.substr(0, bytes.size() - 2)),
              "x.jpg: the JPEG ends too early; it is truncated, get it again.");
  }
  EXPECT_EQ(jpeg_message(""), "x.jpg: the JPEG is empty.");
}

TEST(Jpeg, APartNoticesTruncationBelowItToo) {
  for (const bool is_progressive : {false, true}) {
    const std::string bytes = encode_jpeg(busy_picture(24, 40, 3), {90, is_progressive});
    const PicturePart top{{0, 0, {2, 24}}};
    for (size_t length = 1; length < bytes.size(); ++length)
      EXPECT_THROW((void)part_of(bytes.substr(0, length), top), DataError) << length;
    EXPECT_NO_THROW((void)part_of(bytes + "what follows the end mark", top));
  }
}

TEST(Jpeg, SurvivesEveryChangedBit) {
  const std::string bytes = encode_jpeg(busy_picture(17, 11, 3), {70, true});
  size_t refused = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    refused += jpeg_message(changed, {.pixels = 1 << 20}) != "no DataError" ? 1 : 0;
  }
  EXPECT_GT(refused, 0U);
}

// The frame header of a file with these sides.
std::string with_size(std::string bytes, unsigned height, unsigned width) {
  const size_t frame = bytes.find("\xff\xc0");
  const auto put = [&](size_t at, unsigned value) {
    bytes[at] = static_cast<char>(value >> 8);
    bytes[at + 1] = static_cast<char>(value & 255);
  };
  put(frame + 5, height);
  put(frame + 7, width);
  return bytes;
}

TEST(Jpeg, RefusesSizesAboveTheLimitsBeforeTakingMemory) {
  const std::string bytes = encode_jpeg(busy_picture(16, 16, 3));
  EXPECT_EQ(jpeg_message(with_size(bytes, 8193, 8192)),
            "x.jpg: the JPEG is 8192 x 8193, the limit is 67108864 pixels. Scale it down.");
  EXPECT_EQ(jpeg_message(with_size(bytes, 8000, 8000)),
            "x.jpg: the JPEG claims 8000 x 8000 pixels, but its " + std::to_string(bytes.size()) +
                " bytes cannot hold them; it is truncated or damaged.");
  EXPECT_THAT(jpeg_message(with_size(bytes, 0, 16)), testing::HasSubstr("x.jpg: "));
}

TEST(Jpeg, RefusesMoreScansAndMemoryThanItMayTake) {
  const std::string bytes = encode_jpeg(busy_picture(64, 64, 3), {90, true});
  EXPECT_EQ(jpeg_message(bytes, {.scans = 3}),
            "x.jpg: not a JPEG that can be read: more than 3 scans.");
  const std::string large = encode_jpeg(busy_picture(512, 512, 3), {90, true});
  EXPECT_EQ(jpeg_message(large, {.memory_bytes = 100'000}),
            "x.jpg: the JPEG needs more memory to be read than it may take.");
}

TEST(Jpeg, SaysThatAnotherFormatIsNotJpeg) {
  EXPECT_THAT(jpeg_message("\x89PNG\r\n\x1a\n and so on"),
              testing::HasSubstr("Not a JPEG file: starts with 0x89 0x50"));
}

}  // namespace

}  // namespace hearth
