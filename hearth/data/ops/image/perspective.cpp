// An image seen from a side drawn for each sample; masks, boxes and points go with it.
#include "hearth/data/ops/image/perspective.h"

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/projective_transform.h"
#include "hearth/data/geometry/warp_options.h"

namespace hearth::sample_ops {

namespace {

// A corner moves inwards by up to a share of half a side.
double moved_corner(Random& random, int64_t side, double distortion, bool is_far) {
  const auto reach = static_cast<int64_t>(distortion * static_cast<double>(side / 2));
  return static_cast<double>(is_far ? random.between(side - 1 - reach, side - 1)
                                    : random.between(0, reach));
}

class PerspectivePolicy {
 public:
  using Options = PerspectiveOptions;
  explicit PerspectivePolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("perspective", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  void check(const Spec& image) const { check_pixels(image, "perspective", options_.keys[0]); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const { return image; }
  [[nodiscard]] ProjectiveTransform draw(Random& random, const ImageSize& image) const {
    const auto right = static_cast<double>(image.width - 1);
    const auto bottom = static_cast<double>(image.height - 1);
    const auto corner = [&](bool is_right, bool is_below) {
      const double x = moved_corner(random, image.width, options_.distortion, is_right);
      return ImagePlace{x, moved_corner(random, image.height, options_.distortion, is_below)};
    };
    FourPlaces moved;
    moved[0] = corner(false, false);
    moved[1] = corner(true, false);
    moved[2] = corner(true, true);
    moved[3] = corner(false, true);
    const FourPlaces corners = {{{0, 0}, {right, 0}, {right, bottom}, {0, bottom}}};
    return {perspective_between(moved, corners), image, warp_style(options_)};
  }

 private:
  Options options_;
};

}  // namespace

const Schema<PerspectiveOptions>& PerspectiveOptions::schema() {
  using O = PerspectiveOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    fields.field(&O::distortion, "distortion",
                 "How far corners move inwards at most: a share of half a side.", at_least(0),
                 at_most(1));
    add_warp_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> perspective(const PerspectiveOptions& options) {
  return choose<SampleOp>("perspective", options);
}

void register_perspective(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<PerspectivePolicy>>(
      "perspective", "Shows an image from the side, each time another one.");
}

}  // namespace hearth::sample_ops
