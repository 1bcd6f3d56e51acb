// Areas, frames and text land where they should, and nowhere outside of the picture.
#include "hearth/format/drawing.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

// '#' where the picture is not paper.
std::string drawn(const Image& picture) {
  std::string text;
  for (int64_t y = 0; y < picture.height; ++y, text += "\n")
    for (int64_t x = 0; x < picture.width; ++x)
      text += picture.pixels[static_cast<size_t>((y * picture.width + x) * 3)] == 255 ? '.' : '#';
  return text;
}

TEST(Drawing, WritesLettersOfFiveBySevenPoints) {
  Image picture = blank_picture(12, 8);
  draw_text(picture, 0, 0, "A1");
  EXPECT_EQ(drawn(picture),
            ".###....#...\n"
            "#...#..##...\n"
            "#...#...#...\n"
            "#...#...#...\n"
            "#####...#...\n"
            "#...#...#...\n"
            "#...#..###..\n"
            "............\n");
}

TEST(Drawing, WritesUpwards) {
  Image picture = blank_picture(7, 6);
  draw_text_up(picture, 0, 5, "L");
  EXPECT_EQ(drawn(picture), ".......\n......#\n......#\n......#\n......#\n#######\n");
}

TEST(Drawing, LeavesOutWhatLiesOutside) {
  Image picture = blank_picture(4, 3);
  draw_frame(picture, {-1, -1, 4, 3}, kInk);
  draw_text(picture, -20, -20, "far away");
  paste(picture, blank_picture(9, 9, kInk), 3, 2);
  EXPECT_EQ(drawn(picture), "..#.\n###.\n...#\n");
}

TEST(Drawing, ShortensTextThatDoesNotFit) {
  EXPECT_EQ(fitted_text("aeroplane", 54), "aeroplane");
  EXPECT_EQ(fitted_text("aeroplane", 53), "aeropl..");
  EXPECT_EQ(fitted_text("aeroplane", 12), "ae");
  EXPECT_EQ(text_width("K\xC3\xA4se"), 24);
}

}  // namespace
}  // namespace hearth
