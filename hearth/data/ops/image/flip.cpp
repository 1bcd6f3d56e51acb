// Mirrors an image, by chance; masks, boxes and points go with it.
#include "hearth/data/ops/image/flip.h"

#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/window_transform.h"

namespace hearth::sample_ops {

namespace {

class FlipPolicy {
 public:
  using Options = FlipOptions;
  explicit FlipPolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return {"flip", options_.keys}; }
  [[nodiscard]] ImageSize size(const ImageSize& image) const { return image; }
  [[nodiscard]] bool draws_nothing() const {
    return is_decided(options_.horizontal) && is_decided(options_.vertical);
  }
  [[nodiscard]] WindowTransform draw(Random& random, const ImageSize& image) const {
    const bool across = random.uniform() < options_.horizontal;
    const bool down = random.uniform() < options_.vertical;
    return {{0, 0, image}, WindowTransform::Mirrored{across, down}};
  }

 private:
  static bool is_decided(double share) { return share <= 0 || share >= 1; }

  Options options_;
};

}  // namespace

const Schema<FlipOptions>& FlipOptions::schema() {
  using O = FlipOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    fields
        .field(&O::horizontal, "horizontal",
               "How often left and right change places: 0 never, 1 always.", at_least(0),
               at_most(1))
        .field(&O::vertical, "vertical", "How often top and bottom change places.", at_least(0),
               at_most(1));
    return fields;
  }();
  return schema;
}

Choice<SampleOp> flip(const FlipOptions& options) { return choose<SampleOp>("flip", options); }

void register_flip(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<FlipPolicy>>("flip", "Mirrors an image at random.");
}

}  // namespace hearth::sample_ops
