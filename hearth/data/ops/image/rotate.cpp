// An image turned around its middle by an angle drawn for each sample; masks, boxes and points
// go with it.
#include "hearth/data/ops/image/rotate.h"

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/projective_transform.h"
#include "hearth/data/geometry/warp_options.h"

namespace hearth::sample_ops {

namespace {

class RotatePolicy {
 public:
  using Options = RotateOptions;
  explicit RotatePolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("rotate", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  void check(const Spec& image) const { check_pixels(image, "rotate", options_.keys[0]); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const { return image; }
  [[nodiscard]] ProjectiveTransform draw(Random& random, const ImageSize& image) const {
    const double degrees = drawn_in(random, range_around_zero(options_.degrees));
    const ProjectiveMap source = affine_source({.degrees = -degrees}, middle_of(image));
    return {source, image, warp_style(options_)};
  }

 private:
  Options options_;
};

}  // namespace

const Schema<RotateOptions>& RotateOptions::schema() {
  using O = RotateOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    fields
        .field(&O::degrees, "degrees",
               "The angle, against the clock: the least and the most, or one number for as far "
               "either way.",
               at_least(-3600), at_most(3600))
        .check("'degrees' must hold one number, or two, the smaller one first.",
               [](const O& options) { return is_range_around_zero(options.degrees); });
    add_warp_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> rotate(const RotateOptions& options) {
  return choose<SampleOp>("rotate", options);
}

void register_rotate(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<RotatePolicy>>("rotate", "Turns an image around its middle at random.");
}

}  // namespace hearth::sample_ops
