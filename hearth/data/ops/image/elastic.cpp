// An image whose points move by smooth noise drawn for each sample; masks, boxes and points go
// with it.
#include "hearth/data/ops/image/elastic.h"

#include "hearth/config/registry.h"
#include "hearth/data/geometry/displacement_transform.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/warp_options.h"

namespace hearth::sample_ops {

namespace {

class ElasticPolicy {
 public:
  using Options = ElasticOptions;
  explicit ElasticPolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("elastic", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  void check(const Spec& image) const { check_pixels(image, "elastic", options_.keys[0]); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const { return image; }
  [[nodiscard]] DisplacementTransform draw(Random& random, const ImageSize& image) const {
    const Displacement displacement =
        random_displacement(random, image, options_.sigma, options_.alpha / 2);
    return {displacement, image, warp_style(options_)};
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ElasticOptions>& ElasticOptions::schema() {
  using O = ElasticOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    fields
        .field(&O::alpha, "alpha",
               "How far points move: by noise between -alpha/2 and alpha/2 points, before it is "
               "smoothed.",
               at_least(0), at_most(1e5))
        .field(&O::sigma, "sigma",
               "How smooth the noise is: the deviation, in points, of the Gaussian over which it "
               "is averaged.",
               at_least(0), at_most(200));
    add_warp_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> elastic(const ElasticOptions& options) {
  return choose<SampleOp>("elastic", options);
}

void register_elastic(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<ElasticPolicy>>("elastic",
                                           "Moves the points of an image by smooth noise.");
}

}  // namespace hearth::sample_ops
