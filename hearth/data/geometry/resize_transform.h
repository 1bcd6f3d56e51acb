// A part of an image brought to a size.
#pragma once

#include <string>

#include "hearth/config/schema.h"
#include "hearth/data/geometry/image_transform.h"
#include "hearth/format/image_resample.h"
#include "hearth/format/picture_part.h"

namespace hearth {

class ResizeTransform : public ImageTransform {
 public:
  ResizeTransform(const ImageRegion& region, const ImageSize& size, const Resampling& how)
      : region_(region), size_(size), how_(how) {}

  [[nodiscard]] ImageSize size() const override { return size_; }
  void move_pixels(const View& from, std::byte* to) const override;
  [[nodiscard]] ImagePlace moved(const ImagePlace& place) const override;

  // See reading_op.h. What remains of a smaller image has twice the points of the result a side.
  [[nodiscard]] ImageRegion needed(const ImageSize&) const { return region_; }
  [[nodiscard]] int64_t most_shrink() const;
  [[nodiscard]] ResizeTransform on_part(const PicturePart& part) const;

 private:
  ImageRegion region_;
  ImageSize size_;
  Resampling how_;
};

// GraphError for an image of other numbers than bytes and float32; masks are of any.
void check_pixels(const Spec& image, const std::string& op, const std::string& key);

template <class O>
void add_resampling_fields(Schema<O>& schema) {
  schema
      .field(&O::interpolation, "interpolation",
             "How points are made: `area` averages what a point covers where the image shrinks and "
             "is linear where it grows, `bilinear` and `bicubic` are Pillow's filters, `nearest` "
             "takes the nearest point. Masks always take the nearest.",
             one_of({"nearest", "bilinear", "area", "bicubic"}))
      .field(&O::antialias, "antialias",
             "Of bilinear and bicubic: with it, bytes are those of Pillow; without, only the two "
             "or four nearest points of an axis count, as in torchvision with antialias=False, and "
             "bytes are within 1 of it, with bicubic within 4.");
}

// "nearest", "bilinear", "area" or "bicubic".
[[nodiscard]] ResampleFilter resample_filter(const std::string& name);

}  // namespace hearth
