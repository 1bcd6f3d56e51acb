// Tests of filled polygons and run lengths.
#include "hearth/format/region.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {

namespace {

// The mask as text, a letter for each point.
class Drawing {
 public:
  Drawing(int64_t height, int64_t width) : width_(width) {
    text_.resize(static_cast<size_t>(height * width), '.');
  }
  [[nodiscard]] FillRun run() {
    return [this](int64_t y, int64_t begin, int64_t end) {
      for (int64_t x = begin; x < end; ++x) text_.at(static_cast<size_t>(y * width_ + x)) = '#';
    };
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  int64_t width_;
  std::string text_;
};

std::string polygon(const std::vector<float>& corners, int64_t height, int64_t width) {
  Drawing drawing(height, width);
  fill_polygon(corners, height, width, drawing.run());
  return drawing.text();
}

TEST(Region, FillsPointsWhoseMiddleLiesInThePolygon) {
  EXPECT_EQ(polygon({1, 1, 3, 1, 3, 2, 1, 2}, 3, 4),
            "...."
            ".##."
            "....");
  EXPECT_EQ(polygon({0, 0, 4.1F, 0, 0, 4.1F}, 4, 4),
            "####"
            "###."
            "##.."
            "#...");
  EXPECT_EQ(polygon({-9, -9, 99, -9, 99, 99, -9, 99}, 2, 2), "####");
  EXPECT_EQ(polygon({1, 1}, 2, 2), "....");
  EXPECT_EQ(polygon({}, 1, 1), ".");
}

TEST(Region, FillsRunLengthsDownTheColumns) {
  Drawing drawing(2, 3);
  const std::vector<uint32_t> counts = {1, 2, 3};
  fill_run_lengths(counts, 2, 3, drawing.run(), "x");
  EXPECT_EQ(drawing.text(),
            ".#."
            "#..");
  const std::vector<uint32_t> wrong = {1, 2};
  EXPECT_THROW(fill_run_lengths(wrong, 2, 3, drawing.run(), "x"), DataError);
  const std::vector<uint32_t> beyond = {1, 4'000'000'000U};
  EXPECT_THROW(fill_run_lengths(beyond, 2, 3, drawing.run(), "x"), DataError);
}

TEST(Region, UnpacksRunLengthsFromText) {
  EXPECT_EQ(unpack_run_lengths("123", "x"), (std::vector<uint32_t>{1, 2, 3}));
  // 40 = 8 + 32, in two letters; the fourth number is a difference of -1 to the second.
  EXPECT_EQ(unpack_run_lengths("X1523O", "x"), (std::vector<uint32_t>{40, 5, 2, 8, 1}));
  EXPECT_THROW((void)unpack_run_lengths("P", "x"), DataError);
  EXPECT_THROW((void)unpack_run_lengths("\x01", "x"), DataError);
  EXPECT_THROW((void)unpack_run_lengths("PPPPPPPPPP1", "x"), DataError);
}

}  // namespace

}  // namespace hearth
