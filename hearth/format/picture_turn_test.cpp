#include "hearth/format/picture_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hearth {
namespace {

const std::string kSegment("Exif\0\0", 6);

// A TIFF file of one directory with one note.
std::string tiff_with_turn(int turn, bool is_big) {
  std::string tiff = is_big ? "MM" : "II";
  const auto add = [&](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i)
      tiff += static_cast<char>(value >> 8 * (is_big ? bytes - 1 - i : i));
  };
  add(42, 2);
  add(8, 4);
  add(1, 2);
  add(0x0112, 2);
  add(3, 2);
  add(1, 4);
  add(static_cast<uint64_t>(turn), 2);
  add(0, 2);
  add(0, 4);
  return tiff;
}

std::string big_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
  return text;
}

std::string jpeg_with(const std::string& tiff) {
  return "\xFF\xD8\xFF\xE0" + big_endian(4, 2) + "ab\xFF\xE1" +
         big_endian(2 + kSegment.size() + tiff.size(), 2) + kSegment + tiff + "\xFF\xDA";
}

TEST(PictureTurn, IsReadFromEveryFormat) {
  for (int turn = 1; turn <= 8; ++turn) {
    const auto expected = static_cast<PictureTurn>(turn);
    const std::string tiff = tiff_with_turn(turn, turn % 2 == 0);
    EXPECT_EQ(picture_turn(jpeg_with(tiff)), expected);
    EXPECT_EQ(picture_turn("\x89PNG\r\n\x1a\n" + big_endian(2, 4) + "tEXtab----" +
                           big_endian(tiff.size(), 4) + "eXIf" + tiff + "----"),
              expected);
    std::string length = big_endian(tiff.size(), 4);
    std::reverse(length.begin(), length.end());
    EXPECT_EQ(picture_turn("RIFF----WEBPEXIF" + length + tiff), expected);
  }
}

TEST(PictureTurn, IsNoneWhereTheNoteIsDamaged) {
  EXPECT_EQ(picture_turn(jpeg_with(tiff_with_turn(9, true))), PictureTurn::kNone);
  EXPECT_EQ(picture_turn(jpeg_with(tiff_with_turn(0, true))), PictureTurn::kNone);
  const std::string file = jpeg_with(tiff_with_turn(6, true));
  for (size_t length = 0; length < file.size(); ++length) {
    const PictureTurn turn = picture_turn(file.substr(0, length));
    EXPECT_TRUE(turn == PictureTurn::kNone || turn == PictureTurn::kRight);
  }
}

TEST(PictureTurn, MovesPointsAsTheNoteSays) {
  const std::vector<uint8_t> lying = {1, 2, 3, 4, 5, 6};  // two rows of three
  const std::vector<std::vector<uint8_t>> upright = {
      {1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1}, {4, 5, 6, 1, 2, 3},
      {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3}, {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (size_t i = 0; i < upright.size(); ++i) {
    std::vector<uint8_t> made(6);
    turn_picture(lying.data(), {2, 3}, 1, static_cast<PictureTurn>(i + 1), made.data());
    EXPECT_EQ(made, upright[i]) << i + 1;
  }
}

}  // namespace
}  // namespace hearth
