// An image turned around its middle by an angle drawn for each sample; masks, boxes and points
// go with it.
#include "hearth/data/ops/image/rotate.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/projective_transform.h"
#include "hearth/data/geometry/warp_options.h"

namespace hearth::sample_ops {

namespace {

// The least size that holds the turned image, as torchvision finds it: around the middle of the
// image, with what is below a ten-thousandth of a point left out.
ImageSize size_around(const ProjectiveMap& forward, const ImageSize& image) {
  constexpr float kLeast = 1e-4F;
  const auto width = static_cast<double>(image.width), height = static_cast<double>(image.height);
  ImagePlace low = forward({0, 0}), high = low;
  for (const ImagePlace& corner : {ImagePlace{width, 0}, {0, height}, {width, height}}) {
    const ImagePlace place = forward(corner);
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  // In its precision too: a quarter turn ends at whole numbers.
  const auto cut = [](double at) { return std::trunc(static_cast<float>(at) / kLeast) * kLeast; };
  const auto length = [&cut](double from, double to) {
    return static_cast<int64_t>(std::ceil(cut(to)) - std::floor(cut(from)));
  };
  return {length(low.y, high.y), length(low.x, high.x)};
}

// The same map for a result whose middle lies where the image's does.
ProjectiveMap seen_from_middle(ProjectiveMap source, const ImageSize& image,
                               const ImageSize& result) {
  const ImagePlace from = middle_of(image), to = middle_of(result);
  auto& m = source.matrix;
  m[2] += m[0] * (from.x - to.x) + m[1] * (from.y - to.y);
  m[5] += m[3] * (from.x - to.x) + m[4] * (from.y - to.y);
  return source;
}

class RotatePolicy {
 public:
  using Options = RotateOptions;
  explicit RotatePolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("rotate", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  void check(const Spec& image) const { check_pixels(image, "rotate", options_.keys[0]); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const {
    return options_.expand ? ImageSize{kAnyLength, kAnyLength} : image;
  }
  [[nodiscard]] ProjectiveTransform draw(Random& random, const ImageSize& image) const {
    const double degrees = turn_range(options_.degrees).draw(random);
    const ProjectiveMap source = affine_source({.degrees = -degrees}, middle_of(image));
    if (!options_.expand) return {source, image, warp_style(options_)};
    const ImageSize around = size_around(source.inverted(), image);
    return {seen_from_middle(source, image, around), around, warp_style(options_)};
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
    fields.field(&O::expand, "expand",
                 "Whether the result grows until it holds the whole turned image; it then differs "
                 "in size from sample to sample.");
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
