// Area and shape drawn apart; the shape by its logarithm, so that wide and high are as likely.
#include "hearth/data/geometry/random_region.h"

#include <cmath>

namespace hearth {

namespace {

constexpr int kRegionTries = 10;

double drawn_between(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.uniform());
}

int64_t whole_points(double length) { return static_cast<int64_t>(std::nearbyint(length)); }

ImageRegion middle_region(const ImageSize& image, const RegionRange& range) {
  const auto height = static_cast<double>(image.height);
  const auto width = static_cast<double>(image.width);
  ImageRegion region{0, 0, image.height, image.width};
  if (width / height < range.least_ratio)
    region.height = std::max<int64_t>(whole_points(width / range.least_ratio), 1);
  else if (width / height > range.most_ratio)
    region.width = std::max<int64_t>(whole_points(height * range.most_ratio), 1);
  region.top = (image.height - region.height) / 2;
  region.left = (image.width - region.width) / 2;
  return region;
}

}  // namespace

ImageRegion random_region(Random& random, const ImageSize& image, const RegionRange& range) {
  const double area = static_cast<double>(image.height) * static_cast<double>(image.width);
  for (int i = 0; i < kRegionTries; ++i) {
    const double target = area * drawn_between(random, range.least_scale, range.most_scale);
    const double ratio =
        std::exp(drawn_between(random, std::log(range.least_ratio), std::log(range.most_ratio)));
    const int64_t width = whole_points(std::sqrt(target * ratio));
    const int64_t height = whole_points(std::sqrt(target / ratio));
    if (width < 1 || height < 1 || width > image.width || height > image.height) continue;
    const int64_t top = random.between(0, image.height - height);
    const int64_t left = random.between(0, image.width - width);
    return {top, left, height, width};
  }
  return middle_region(image, range);
}

}  // namespace hearth
