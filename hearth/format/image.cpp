// Colours and sizes in whole numbers: no rounding depends on the compiler.
#include "hearth/format/image.h"

#include <string>

#include "hearth/base/error.h"
#include "hearth/format/image_resample.h"

namespace hearth {

namespace {

constexpr int64_t kImageSideLimit = 1 << 24;
constexpr int64_t kImagePixelLimit = 1 << 26;

void check_image(const Image& image) {
  if (image.width < 1 || image.height < 1 || image.channels < 1 ||
      image.pixels.size() != static_cast<size_t>(image.width) * static_cast<size_t>(image.height) *
                                 static_cast<size_t>(image.channels))
    throw InternalError("Image: width, height and channels do not fit the pixels.");
}

void check_new_size(int64_t width, int64_t height) {
  if (width < 1 || height < 1 || width > kImageSideLimit || height > kImageSideLimit ||
      width * height > kImagePixelLimit)
    throw ConfigError("Cannot resize an image to " + std::to_string(width) + " x " +
                      std::to_string(height) + " pixels: expected at least 1 x 1 and at most " +
                      std::to_string(kImagePixelLimit) + " pixels.");
}

}  // namespace

Image to_gray(const Image& image) {
  check_image(image);
  if (image.channels == 1) return image;
  if (image.channels < 3) throw InternalError("to_gray: expected 1, 3 or 4 channels.");
  Image gray{image.width, image.height, 1, {}};
  gray.pixels.reserve(static_cast<size_t>(image.width * image.height));
  for (size_t i = 0; i < image.pixels.size(); i += static_cast<size_t>(image.channels))
    gray.pixels.push_back(luma(image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]));
  return gray;
}

bool is_transparent(const Image& image) {
  if (image.channels != 4) return false;
  for (size_t i = 3; i < image.pixels.size(); i += 4)
    if (image.pixels[i] != 255) return true;
  return false;
}

Image laid_over(const Image& image, const std::array<uint8_t, 3>& background) {
  check_image(image);
  if (image.channels != 4) throw InternalError("laid_over: expected 4 channels.");
  Image result{image.width, image.height, 3, {}};
  result.pixels.reserve(image.pixels.size() / 4 * 3);
  for (size_t i = 0; i < image.pixels.size(); i += 4) {
    const uint32_t alpha = image.pixels[i + 3];
    for (size_t c = 0; c < 3; ++c)
      result.pixels.push_back(static_cast<uint8_t>(
          (image.pixels[i + c] * alpha + background[c] * (255 - alpha) + 127) / 255));
  }
  return result;
}

void resize_into(const ImageView& image, int64_t width, int64_t height, uint8_t* to) {
  check_new_size(width, height);
  resize_region(image, whole_of(image), height, width, {ResampleFilter::kArea}, to);
}

Image resize(const Image& image, int64_t width, int64_t height) {
  check_image(image);
  check_new_size(width, height);
  Image result{width, height, image.channels, {}};
  result.pixels.resize(static_cast<size_t>(width * height * image.channels));
  resize_into({image.width, image.height, image.channels, image.pixels.data()}, width, height,
              result.pixels.data());
  return result;
}

}  // namespace hearth
