// Tests of pictures of any format: the pixels are Pillow's, damage is a DataError.
#include "hearth/format/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/format/json.h"

namespace hearth {

namespace {

std::string from_base64(const std::string& text) {
  static const std::string letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(letters.find(letter));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count);
  }
  return bytes;
}

std::string text_of(const Image& image) { return {image.pixels.begin(), image.pixels.end()}; }

const nlohmann::json& pillow_cases() {
  static const nlohmann::json cases =
      parse_json(read_file(HEARTH_SOURCE_DIR "/tests/parity/pictures.json"), "pictures.json")
          .at("cases");
  return cases;
}

std::string picture_message(const std::string& bytes) {
  return message_of<DataError>([&] { (void)decode_picture(bytes, 3, "x"); });
}

TEST(Picture, HasThePixelsThatPillowReads) {
  ASSERT_GE(pillow_cases().size(), 18U);
  for (const auto& example : pillow_cases()) {
    SCOPED_TRACE(example.at("name").get<std::string>());
    const std::string file = from_base64(example.at("file"));
    EXPECT_TRUE(is_picture(file));
    const Image image = decode_picture(file, 3, "x");
    EXPECT_EQ((PictureSize{image.height, image.width}),
              (PictureSize{example.at("height"), example.at("width")}));
    EXPECT_EQ(text_of(image), from_base64(example.at("rgb")));
    EXPECT_EQ(picture_size(file, "x"), (PictureSize{image.height, image.width}));
    if (example.contains("rgba")) {
      EXPECT_EQ(text_of(decode_picture(file, 4, "x")), from_base64(example.at("rgba")));
    }
  }
}

// A JPEG's own luma is not that of its colours where these were out of range.
TEST(Picture, GrayIsNearTheLumaOfItsColours) {
  for (const auto& example : pillow_cases()) {
    const std::string file = from_base64(example.at("file"));
    const Image gray = decode_picture(file, 1, "x");
    const Image expected = to_gray(decode_picture(file, 3, "x"));
    for (size_t i = 0; i < gray.pixels.size(); ++i)
      ASSERT_NEAR(gray.pixels[i], expected.pixels[i], 8) << example.at("name");
  }
}

TEST(Picture, NoticesTruncationAtEveryLength) {
  for (const auto& example : pillow_cases()) {
    const std::string file = from_base64(example.at("file"));
    const std::string name = example.at("name");
    // libspng does without the checksum of the end mark; libwebp without bits that fill a byte.
    const size_t most = file.size() - (name.ends_with("png") ? 4 : name.ends_with("webp") ? 2 : 0);
    for (size_t length = 0; length < most; ++length)
      ASSERT_NE(picture_message(file.substr(0, length)), "no fault") << name << " " << length;
  }
}

TEST(Picture, SurvivesEveryChangedBit) {
  for (const auto& example : pillow_cases()) {
    const std::string file = from_base64(example.at("file"));
    for (size_t bit = 0; bit < file.size() * 8; bit += 3) {
      std::string changed = file;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
      try {
        if (picture_size(changed, "x").height * picture_size(changed, "x").width < 1 << 16)
          (void)decode_picture(changed, 3, "x");
      } catch (const DataError&) {
      }
    }
  }
}

TEST(Picture, SaysWhatAnotherFileIs) {
  EXPECT_EQ(picture_message("GIF89a and so on"),
            "x: is a GIF, which cannot be read. Convert it to PNG, JPEG, WebP or BMP.");
  EXPECT_THAT(picture_message(std::string("\0\0\0\x18", 4) + "ftypheic"),
              testing::HasSubstr("is an HEIC"));
  EXPECT_THAT(picture_message(std::string("II*\0", 4)), testing::HasSubstr("is a TIFF"));
  EXPECT_EQ(picture_message("hello"),
            "x: is no picture that can be read; expected PNG, JPEG, WebP or BMP.");
  EXPECT_EQ(picture_message(""), "x: is empty, which is no picture.");
}

TEST(Picture, IsToldByItsNamesEnding) {
  for (const char* name : {"a.png", "b.JPG", "c.x.jpeg", "d.WebP", "e.bmp", "f.JPEG"})
    EXPECT_TRUE(has_picture_name(name)) << name;
  for (const char* name : {"a.gif", "png", "b.jpg.txt", "c", ".png"})
    EXPECT_FALSE(has_picture_name(name)) << name;
}

TEST(Picture, APartOfWhatIsNotJpegIsTheWhole) {
  const std::string file = from_base64(pillow_cases().at(7).at("file"));
  std::vector<uint8_t> memory;
  const PicturePart part =
      decode_picture_part(file, 3, {{1, 1, {2, 2}}, 2}, "x", [&](int64_t height, int64_t width) {
        memory.resize(static_cast<size_t>(height * width * 3));
        return memory.data();
      });
  EXPECT_EQ(part.window, (PictureWindow{0, 0, {13, 21}}));
  EXPECT_EQ(part.shrink, 1);
  EXPECT_EQ(memory, decode_picture(file, 3, "x").pixels);
}

}  // namespace

}  // namespace hearth
