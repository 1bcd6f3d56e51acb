// A part of an image, drawn for each sample, brought to one size; masks, boxes and points go with
// it.
#include "hearth/data/ops/image/random_resized_crop.h"

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/random_region.h"
#include "hearth/data/geometry/resize_transform.h"

namespace hearth::sample_ops {

namespace {

class RandomResizedCropPolicy {
 public:
  using Options = RandomResizedCropOptions;
  explicit RandomResizedCropPolicy(Options options)
      : options_(std::move(options)),
        range_{options_.scale[0], options_.scale[1], options_.ratio[0], options_.ratio[1]},
        how_{resample_filter(options_.interpolation), options_.antialias} {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("random_resized_crop", options_); }
  void check(const Spec& image) const {
    check_pixels(image, "random_resized_crop", options_.keys[0]);
  }
  [[nodiscard]] ImageSize size(const ImageSize&) const { return image_size(options_.size); }
  [[nodiscard]] ResizeTransform draw(Random& random, const ImageSize& image) const {
    return {random_region(random, image, range_), image_size(options_.size), how_};
  }

 private:
  Options options_;
  RegionRange range_;
  Resampling how_;
};

bool is_crop_range(const std::vector<double>& range) {
  return range.size() == 2 && range[0] > 0 && range[0] <= range[1];
}

}  // namespace

const Schema<RandomResizedCropOptions>& RandomResizedCropOptions::schema() {
  using O = RandomResizedCropOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    add_size_field(fields);
    fields
        .field(&O::scale, "scale", "The part's share of the image's area: the least and the most.",
               above(0), at_most(1))
        .field(&O::ratio, "ratio", "Its width to its height: the least and the most.", above(0),
               at_most(1e4))
        .check("'scale' must hold two numbers, the smaller one first.",
               [](const O& options) { return is_crop_range(options.scale); })
        .check("'ratio' must hold two numbers, the smaller one first.",
               [](const O& options) { return is_crop_range(options.ratio); });
    add_resampling_fields(fields);
    add_box_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> random_resized_crop(const RandomResizedCropOptions& options) {
  return choose<SampleOp>("random_resized_crop", options);
}

void register_random_resized_crop(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<RandomResizedCropPolicy>>(
      "random_resized_crop", "A part of an image of random size and shape, brought to one size.");
}

}  // namespace hearth::sample_ops
