// Images brought to a size, masks by the nearest point; boxes and points go with them.
#include "hearth/data/ops/image/resize.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/resize_transform.h"

namespace hearth::sample_ops {

namespace {

class ResizePolicy {
 public:
  using Options = ResizeOptions;
  explicit ResizePolicy(Options options)
      : options_(std::move(options)),
        how_{resample_filter(options_.interpolation), options_.antialias} {}

  [[nodiscard]] static bool is_random() { return false; }
  [[nodiscard]] MovedKeys keys() const { return moved_keys("resize", options_); }
  void check(const Spec& image) const {
    check_pixels(image, "resize", options_.keys.empty() ? options_.key : options_.keys[0]);
  }

  [[nodiscard]] ImageSize size(const ImageSize& image) const {
    if (!options_.shorter) return image_size(options_.size);
    if (image.height == kAnyLength || image.width == kAnyLength) return {kAnyLength, kAnyLength};
    return by_shorter(image, *options_.shorter);
  }
  [[nodiscard]] ResizeTransform draw(Random&, const ImageSize& image) const {
    return {{0, 0, image.height, image.width}, size(image), how_};
  }

 private:
  // As torchvision: the longer side is rounded down.
  static ImageSize by_shorter(const ImageSize& image, int64_t shorter) {
    const int64_t shortest = std::min(image.height, image.width);
    return {shorter * image.height / shortest, shorter * image.width / shortest};
  }

  Options options_;
  Resampling how_;
};

}  // namespace

const Schema<ResizeOptions>& ResizeOptions::schema() {
  using O = ResizeOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_or_keys_fields(fields, "The image, or the mask, to resize.");
    add_size_field(fields);
    fields.field(&O::shorter, "shorter",
                 "In the place of size: the length of the shorter side; the other keeps its share, "
                 "so that sizes differ from image to image.",
                 at_least(1), at_most(65'500));
    add_resampling_fields(fields);
    add_box_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> resize(ResizeOptions options) { return choose<SampleOp>("resize", options); }

void register_resize(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<ResizePolicy>>("resize", "Brings images of any size to one.");
}

}  // namespace hearth::sample_ops
