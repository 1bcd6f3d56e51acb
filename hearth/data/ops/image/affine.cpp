// An image turned, moved, scaled and sheared, each by as much as is drawn for a sample; masks,
// boxes and points go with it.
#include "hearth/data/ops/image/affine.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/projective_transform.h"
#include "hearth/data/geometry/warp_options.h"

namespace hearth::sample_ops {

namespace {

class AffinePolicy {
 public:
  using Options = AffineOptions;
  explicit AffinePolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("affine", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  void check(const Spec& image) const { check_pixels(image, "affine", options_.keys[0]); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const { return image; }
  [[nodiscard]] ProjectiveTransform draw(Random& random, const ImageSize& image) const {
    AffineMotion motion;
    motion.degrees = turn_range(options_.degrees).draw(random);
    motion.right = points_of(random, options_.translate.front(), image.width);
    motion.down = points_of(random, options_.translate.back(), image.height);
    motion.scale = drawn_range(options_.scale).draw(random);
    motion.shear_x = shear(0).draw(random);
    motion.shear_y = shear(2).draw(random);
    return {affine_source(motion, middle_of(image)), image, warp_style(options_)};
  }

 private:
  // Whole points, as torchvision has it.
  static double points_of(Random& random, double share, int64_t side) {
    const double most = share * static_cast<double>(side);
    return std::nearbyint(DrawnRange{-most, most}.draw(random));
  }
  [[nodiscard]] DrawnRange shear(size_t first) const {
    const std::vector<double>& given = options_.shear;
    if (given.size() == 1 && first == 0) return turn_range(given);
    if (first >= given.size()) return {};
    return {given[first], given[first + 1]};
  }

  Options options_;
};

bool affine_scale_fits(const AffineOptions& options) {
  return options.scale.size() == 2 && options.scale[0] <= options.scale[1];
}

bool affine_shear_fits(const AffineOptions& options) {
  const std::vector<double>& shear = options.shear;
  if (shear.size() == 1) return true;
  return (shear.size() == 2 || shear.size() == 4) && shear[0] <= shear[1] &&
         (shear.size() == 2 || shear[2] <= shear[3]);
}

}  // namespace

const Schema<AffineOptions>& AffineOptions::schema() {
  using O = AffineOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    fields
        .field(&O::degrees, "degrees",
               "How far it turns with the clock: the least and the most, or one number for as far "
               "either way.",
               at_least(-3600), at_most(3600))
        .field(&O::translate, "translate",
               "How far it moves at most, as a share of width and of height, or one for both.",
               not_empty(), at_least(0), at_most(1))
        .field(&O::scale, "scale", "How large it becomes: the least and the most.", above(0),
               at_most(1000))
        .field(&O::shear, "shear",
               "Degrees by which its upright lines lean: one number for as far either way, or the "
               "least and the most; two further numbers for its level lines.",
               at_least(-89), at_most(89))
        .check("'degrees' must hold one number, or two, the smaller one first.",
               [](const O& options) { return is_range_around_zero(options.degrees); })
        .check("'translate' must hold one number, or two.",
               [](const O& options) { return options.translate.size() <= 2; })
        .check("'scale' must hold two numbers, the smaller one first.", affine_scale_fits)
        .check("'shear' must hold one, two or four numbers, the smaller of two first.",
               affine_shear_fits);
    add_warp_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> affine(const AffineOptions& options) {
  return choose<SampleOp>("affine", options);
}

void register_affine(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<AffinePolicy>>("affine",
                                          "Turns, moves, scales and shears an image at random.");
}

}  // namespace hearth::sample_ops
