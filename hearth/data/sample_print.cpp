// Prints of samples: a digest of the bytes, and the signs of brightness differences.
#include "hearth/data/sample_print.h"

#include <cstring>

#include "hearth/base/digest.h"
#include "hearth/format/image.h"
#include "hearth/format/picture.h"

namespace hearth {
namespace {

constexpr int64_t kRows = 8;
constexpr int64_t kColumns = 9;
constexpr int64_t kLeastSide = 32;  // of smaller pictures, different ones have equal prints

Image gray_of(const View& image) {
  const auto bytes = image.as<uint8_t>();
  Image picture{image.shape[1], image.shape[0], image.shape[2], {bytes.begin(), bytes.end()}};
  if (picture.channels == 3 || picture.channels == 4) return to_gray(picture);
  if (picture.channels == 1) return picture;
  // Of other numbers of channels, the first.
  Image first{picture.width, picture.height, 1, {}};
  for (size_t i = 0; i < picture.pixels.size(); i += static_cast<size_t>(picture.channels))
    first.pixels.push_back(picture.pixels[i]);
  return first;
}

}  // namespace

ExactPrint exact_print(std::span<const View> values) {
  Sha256 digest;
  for (const View& value : values) {
    digest.add(std::as_bytes(value.shape));
    digest.add({value.data, value.elements() * static_cast<size_t>(size_of(value.spec->dtype))});
  }
  ExactPrint print;
  const auto whole = digest.finish();
  std::memcpy(print.data(), whole.data(), sizeof(print));
  return print;
}

std::optional<uint64_t> picture_print(const View& image) {
  const bool is_file = image.spec->role == Role::kEncodedImage;
  if (!is_file && (!is_image(*image.spec) || image.spec->dtype != DType::kUint8))
    return std::nullopt;
  if (image.elements() == 0) return std::nullopt;
  const auto bytes = image.as<char>();
  const Image gray =
      is_file ? decode_picture({bytes.data(), bytes.size()}, 1, "the image") : gray_of(image);
  if (gray.height < kLeastSide || gray.width < kLeastSide) return std::nullopt;
  const Image small = resize(gray, kColumns, kRows);
  uint64_t print = 0;
  bool is_flat = true;
  for (size_t i = 0; i < small.pixels.size(); ++i) {
    if (i % kColumns == kColumns - 1) continue;
    is_flat = is_flat && small.pixels[i] == small.pixels[i + 1];
    print = print << 1U | static_cast<uint64_t>(small.pixels[i] < small.pixels[i + 1]);
  }
  return is_flat ? std::nullopt : std::optional(print);
}

}  // namespace hearth
