// Rows first, as far as an output row needs them, then down the columns.
#include "hearth/format/image_resample.h"

#include <algorithm>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/resample_passes.h"

namespace hearth {

namespace {

template <class View>
void check_region(const View& image, const ImageRegion& region, int64_t height, int64_t width) {
  if (region.top < 0 || region.left < 0 || region.height < 1 || region.width < 1 ||
      region.top + region.height > image.height || region.left + region.width > image.width ||
      image.channels < 1 || height < 1 || width < 1)
    throw InternalError("resize_region: the region does not lie in the picture, or is empty.");
}

// Input rows at the new width, the last few of them: as many as one output row is made of.
template <class Pixel>
class ResampledRows {
 public:
  void start(size_t rows, size_t length) {
    length_ = length;
    kept_ = rows;
    if (memory_.size() < rows * length) memory_.resize(rows * length);
    pointers_.resize(rows);
    next_ = 0;
  }
  // `make(y, to)` for each row that was not made yet.
  template <class Make>
  [[nodiscard]] std::span<const Pixel* const> take(int64_t first, int64_t end, const Make& make) {
    next_ = std::max(next_, first);
    for (; next_ < end; ++next_) make(next_, row(next_));
    for (int64_t y = first; y < end; ++y) pointers_[static_cast<size_t>(y - first)] = row(y);
    return std::span(pointers_).first(static_cast<size_t>(end - first));
  }

 private:
  [[nodiscard]] Pixel* row(int64_t y) {
    return memory_.data() + static_cast<size_t>(y) % kept_ * length_;
  }
  std::vector<Pixel> memory_;
  std::vector<const Pixel*> pointers_;
  size_t kept_ = 1;
  size_t length_ = 0;
  int64_t next_ = 0;
};

void make_row(const ImageView& image, int64_t at, const ResampleTable& table, uint8_t* to) {
  const int64_t readable = image.height * image.width * image.channels - at;
  resample_row(image.pixels + at, readable, image.channels, table, to);
}

void make_row(const FloatImageView& image, int64_t at, const ResampleTable& table, float* to) {
  resample_row(image.pixels + at, image.channels, table, to);
}

// Without arithmetic, and for a length that stays.
template <class View, class Pixel>
void copy_nearest(const View& image, const ImageRegion& region, int64_t height, int64_t width,
                  Pixel* to) {
  for (int64_t y = 0; y < height; ++y) {
    const int64_t from_y = region.top + nearest_input(y, region.height, height);
    const Pixel* row = image.pixels + (from_y * image.width + region.left) * image.channels;
    if (width == region.width) {
      to = std::copy(row, row + width * image.channels, to);
      continue;
    }
    for (int64_t x = 0; x < width; ++x) {
      const Pixel* pixel = row + nearest_input(x, region.width, width) * image.channels;
      to = std::copy(pixel, pixel + image.channels, to);
    }
  }
}

template <class View, class Pixel>
void resize_by_passes(const View& image, const ImageRegion& region, int64_t height, int64_t width,
                      const Resampling& how, Pixel* to) {
  const bool same_width = width == region.width;
  const bool same_height = height == region.height;
  const ResampleTable& columns = resample_table(region.width, width, how);
  const ResampleTable& lines = resample_table(region.height, height, how);
  const int64_t length = width * image.channels;
  const auto place = [&](int64_t y) {
    return ((region.top + y) * image.width + region.left) * image.channels;
  };
  const auto make = [&](int64_t y, Pixel* row) {
    if (same_width)
      std::copy(image.pixels + place(y), image.pixels + place(y) + length, row);
    else
      make_row(image, place(y), columns, row);
  };
  if (same_height) {
    for (int64_t y = 0; y < height; ++y, to += length) make(y, to);
    return;
  }
  thread_local ResampledRows<Pixel> rows;
  rows.start(lines.stride(), static_cast<size_t>(length));
  for (int64_t y = 0; y < height; ++y, to += length) {
    const ResampleTaps taps = lines[y];
    const auto end = taps.first + static_cast<int64_t>(taps.weights.size());
    resample_column(rows.take(taps.first, end, make), taps.weights, length, to);
  }
}

template <class View, class Pixel>
void resize_any(const View& image, const ImageRegion& region, int64_t height, int64_t width,
                const Resampling& how, Pixel* to) {
  check_region(image, region, height, width);
  const bool is_same = height == region.height && width == region.width;
  if (is_same || how.filter == ResampleFilter::kNearest)
    return copy_nearest(image, region, height, width, to);
  resize_by_passes(image, region, height, width, how, to);
}

}  // namespace

void resize_region(const ImageView& image, const ImageRegion& region, int64_t height, int64_t width,
                   const Resampling& how, uint8_t* to) {
  resize_any(image, region, height, width, how, to);
}

void resize_region(const FloatImageView& image, const ImageRegion& region, int64_t height,
                   int64_t width, const Resampling& how, float* to) {
  resize_any(image, region, height, width, how, to);
}

}  // namespace hearth
