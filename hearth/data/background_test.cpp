// Tests of the background of pictures.
#include "hearth/data/background.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace hearth {
namespace {

// Pictures of 4 x 4 points and 2 channels, whose points a function gives.
class Pictures : public Source {
 public:
  using Paint = std::function<float(int64_t sample, int64_t channel, int64_t y, int64_t x)>;
  explicit Pictures(Paint paint) : paint_(std::move(paint)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override {
    Spec image;
    image.shape = {4, 4, 2};
    image.role = Role::kImage;
    image.image_range = {-1.0, 1.0};
    return {{"label", {.dtype = DType::kInt64}}, {"image", image}};
  }
  [[nodiscard]] int64_t size() const override { return 100; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    for (int64_t i = 0; i < 32; ++i)
      cells[1].as<float>()[static_cast<size_t>(i)] = paint_(index, i % 2, i / 8, i / 2 % 4);
  }
  [[nodiscard]] std::string fingerprint() const override { return ""; }
  [[nodiscard]] std::string describe(int64_t) const override { return ""; }

 private:
  Paint paint_;
};

TEST(Background, IsTheColourOfTheBorders) {
  const Pictures pictures([](int64_t, int64_t channel, int64_t y, int64_t x) {
    const bool is_inside = x > 0 && x < 3 && y > 0 && y < 3;
    return is_inside ? 1.0F : channel == 0 ? -1.0F : 0.5F;
  });
  EXPECT_EQ(background_of(pictures, "image"), (std::vector<double>{-1, 0.5}));
}

TEST(Background, IsNotKnownWhereBordersDiffer) {
  const Pictures pictures([](int64_t sample, int64_t, int64_t, int64_t) {
    return static_cast<float>(sample % 10) / 5 - 1;
  });
  EXPECT_TRUE(background_of(pictures, "image").empty());
}

TEST(Background, IsOnlyForPictures) {
  const Pictures pictures([](int64_t, int64_t, int64_t, int64_t) { return 0.0F; });
  EXPECT_TRUE(background_of(pictures, "label").empty());
  EXPECT_TRUE(background_of(pictures, "none").empty());
}

}  // namespace
}  // namespace hearth
