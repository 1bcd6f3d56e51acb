// BMP: a header of one of several lengths, a palette or masks, then rows, mostly from the bottom.
#include "hearth/format/bmp.h"

#include <algorithm>
#include <array>
#include <bit>

#include "hearth/base/error.h"
#include "hearth/format/image.h"

namespace hearth {

namespace {

constexpr size_t kBmpFileHeader = 14;
constexpr uint32_t kCoreHeader = 12;  // of OS/2, with sides of 16 bits
constexpr uint32_t kInfoHeader = 40;
constexpr uint32_t kInfoHeaderWithAlpha = 56;
constexpr uint32_t kLongestHeader = 124;
constexpr uint32_t kPlain = 0;
constexpr uint32_t kRunLengths8 = 1;
constexpr uint32_t kRunLengths4 = 2;
constexpr uint32_t kMasks = 3;
constexpr uint32_t kMasksWithAlpha = 6;

using Rgba = std::array<uint8_t, 4>;

// The bits of a pixel that are one of its channels.
struct BmpMask {
  uint32_t bits = 0;
  [[nodiscard]] uint8_t value(uint32_t pixel) const {
    if (bits == 0) return 0;
    const uint64_t most = bits >> std::countr_zero(bits);
    const uint64_t value = (pixel & bits) >> std::countr_zero(bits);
    return static_cast<uint8_t>((value * 255 + most / 2) / most);
  }
};

class BmpReader {
 public:
  BmpReader(std::string_view bytes, const std::string& what, const PictureLimits& limits)
      : bytes_(bytes), what_(what) {
    read_header();
    if (width_ < 1 || height_ < 1) damaged("its size is not above zero");
    if (width_ > limits.side || height_ > limits.side || width_ * height_ > limits.pixels)
      throw DataError(what_ + ": the BMP is " + size_text() + ", the limit is " +
                      std::to_string(limits.pixels) + " pixels. Scale it down.");
  }

  [[nodiscard]] PictureSize size() const { return {height_, width_}; }

  void read(int64_t channels, const PicturePlace& place) {
    check_pixels();
    if (depth_ <= 8)
      read_palette();
    else
      read_masks();
    uint8_t* to = place(height_, width_);
    for (int64_t y = 0; y < height_; ++y) {
      const int64_t row = is_from_top_ ? y : height_ - 1 - y;
      for (int64_t x = 0; x < width_; ++x, to += channels)
        put(pixel(static_cast<uint64_t>(row), static_cast<uint64_t>(x)), channels, to);
    }
  }

 private:
  [[noreturn]] void damaged(const std::string& reason) const {
    throw DataError(what_ + ": not a BMP that can be read: " + reason + ".");
  }
  [[nodiscard]] std::string size_text() const {
    return std::to_string(width_) + " x " + std::to_string(height_);
  }

  [[nodiscard]] uint32_t number(uint64_t at, size_t length) const {
    if (at + length > bytes_.size())
      throw DataError(what_ + ": the BMP ends too early; it is truncated, get it again.");
    uint32_t value = 0;
    for (size_t i = 0; i < length; ++i)
      value |= uint32_t{static_cast<uint8_t>(bytes_[at + i])} << (8 * i);
    return value;
  }

  void read_header() {
    if (!is_bmp(bytes_)) damaged("it does not begin with BM");
    pixels_at_ = number(10, 4);
    header_ = number(kBmpFileHeader, 4);
    if (header_ == kCoreHeader) {
      width_ = number(18, 2);
      height_ = number(20, 2);
      depth_ = number(24, 2);
    } else if (header_ >= kInfoHeader && header_ <= kLongestHeader) {
      width_ = static_cast<int32_t>(number(18, 4));
      height_ = static_cast<int32_t>(number(22, 4));
      depth_ = number(28, 2);
      packing_ = number(30, 4);
      colours_ = number(46, 4);
      is_from_top_ = height_ < 0;
      height_ = is_from_top_ ? -height_ : height_;
    } else {
      damaged("its header has " + std::to_string(header_) + " bytes, which is of no known version");
    }
    check_kind();
  }

  void check_kind() const {
    if (packing_ == kRunLengths4 || packing_ == kRunLengths8)
      throw DataError(what_ +
                      ": the BMP is packed by run lengths, which cannot be read. Save it "
                      "without compression, or as PNG.");
    const bool has_masks = packing_ == kMasks || packing_ == kMasksWithAlpha;
    const bool is_known = packing_ == kPlain ? depth_ == 1 || depth_ == 4 || depth_ == 8 ||
                                                   depth_ == 16 || depth_ == 24 || depth_ == 32
                                             : has_masks && (depth_ == 16 || depth_ == 32);
    if (!is_known)
      damaged(std::to_string(depth_) + " bits a pixel with packing " + std::to_string(packing_) +
              " are not known");
  }

  void check_pixels() {
    stride_ = (static_cast<uint64_t>(width_) * depth_ + 31) / 32 * 4;
    if (pixels_at_ + stride_ * static_cast<uint64_t>(height_) > bytes_.size())
      throw DataError(what_ + ": the BMP claims " + size_text() + " pixels, but its " +
                      std::to_string(bytes_.size()) +
                      " bytes cannot hold them; it is truncated or damaged.");
  }

  void read_palette() {
    const uint32_t most = 1U << depth_;
    const uint32_t count = colours_ == 0 ? most : std::min(colours_, most);
    const uint64_t length = header_ == kCoreHeader ? 3 : 4;
    const uint64_t start = kBmpFileHeader + header_;
    for (uint32_t i = 0; i < count; ++i)
      for (uint64_t c = 0; c < 3; ++c)
        palette_[i][c] = static_cast<uint8_t>(number(start + i * length + 2 - c, 1));
    for (Rgba& colour : palette_) colour[3] = 255;
  }

  void read_masks() {
    if (depth_ == 24 || (packing_ == kPlain && depth_ == 32))
      masks_ = {{{0xff0000}, {0xff00}, {0xff}, {0}}};
    else if (packing_ == kPlain)
      masks_ = {{{0x7c00}, {0x3e0}, {0x1f}, {0}}};
    else
      for (uint64_t c = 0; c < 3; ++c)
        masks_[c].bits = number(kBmpFileHeader + kInfoHeader + 4 * c, 4);
    const bool has_alpha =
        packing_ == kMasksWithAlpha || (packing_ == kMasks && header_ >= kInfoHeaderWithAlpha);
    if (has_alpha) masks_[3].bits = number(kBmpFileHeader + kInfoHeader + 12, 4);
  }

  [[nodiscard]] Rgba pixel(uint64_t row, uint64_t x) const {
    const uint64_t start = pixels_at_ + row * stride_;
    if (depth_ <= 8) {
      const uint64_t bit = x * depth_;
      const uint32_t byte = number(start + bit / 8, 1);
      return palette_[(byte >> (8 - depth_ - bit % 8)) & ((1U << depth_) - 1)];
    }
    const uint32_t bits = number(start + x * depth_ / 8, depth_ / 8);
    return {masks_[0].value(bits), masks_[1].value(bits), masks_[2].value(bits),
            masks_[3].bits == 0 ? uint8_t{255} : masks_[3].value(bits)};
  }

  static void put(const Rgba& colour, int64_t channels, uint8_t* to) {
    if (channels == 1)
      to[0] = luma(colour[0], colour[1], colour[2]);
    else
      std::copy_n(colour.begin(), channels, to);
  }

  std::string_view bytes_;
  std::string what_;
  uint64_t pixels_at_ = 0;
  uint32_t header_ = 0;
  int64_t width_ = 0;
  int64_t height_ = 0;
  uint32_t depth_ = 0;
  uint32_t packing_ = kPlain;
  uint32_t colours_ = 0;
  bool is_from_top_ = false;
  uint64_t stride_ = 0;
  std::array<Rgba, 256> palette_{};
  std::array<BmpMask, 4> masks_{};
};

}  // namespace

bool is_bmp(std::string_view bytes) { return bytes.size() >= 18 && bytes.starts_with("BM"); }

PictureSize bmp_size(std::string_view bytes, const std::string& what, const PictureLimits& limits) {
  return BmpReader(bytes, what, limits).size();
}

void decode_bmp_into(std::string_view bytes, int64_t channels, const std::string& what,
                     const PicturePlace& place, const PictureLimits& limits) {
  if (channels != 1 && channels != 3 && channels != 4)
    throw InternalError("decode_bmp: channels must be 1, 3 or 4, but is " +
                        std::to_string(channels) + ".");
  BmpReader(bytes, what, limits).read(channels, place);
}

}  // namespace hearth
