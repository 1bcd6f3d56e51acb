// A window of an image at a place drawn for each sample; masks, boxes and points go with it.
#include "hearth/data/ops/image/random_crop.h"

#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/window_transform.h"

namespace hearth::sample_ops {

namespace {

class RandomCropPolicy {
 public:
  using Options = RandomCropOptions;
  explicit RandomCropPolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] MovedKeys keys() const { return moved_keys("random_crop", options_); }
  [[nodiscard]] OutsideFill fill() const { return outside_fill(options_); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const {
    if (const auto fault = size_fault(image)) throw GraphError("random_crop: " + *fault);
    return image_size(options_.size);
  }
  [[nodiscard]] WindowTransform draw(Random& random, const ImageSize& image) const {
    if (const auto fault = size_fault(image)) throw DataError(*fault);
    ImageWindow window{0, 0, image_size(options_.size)};
    window.top = place(random, image.height, window.size.height);
    window.left = place(random, image.width, window.size.width);
    return WindowTransform(window, fill());
  }

 private:
  [[nodiscard]] int64_t place(Random& random, int64_t side, int64_t window) const {
    return random.between(-options_.padding, side + options_.padding - window);
  }

  [[nodiscard]] std::optional<std::string> size_fault(const ImageSize& have) const {
    const ImageSize size = image_size(options_.size);
    if (auto fault = side_fault(have.height, size.height, "high")) return fault;
    return side_fault(have.width, size.width, "wide");
  }

  // A side of any length is looked at when there is an image.
  [[nodiscard]] std::optional<std::string> side_fault(int64_t side, int64_t window,
                                                      const char* which) const {
    if (side == kAnyLength || side + 2 * options_.padding >= window) return std::nullopt;
    return "the image is " + std::to_string(side) + " points " + which + ", with " +
           std::to_string(options_.padding) + " of padding on each side, but the crop is " +
           std::to_string(window) + ". Put resize before it, or use more padding.";
  }

  Options options_;
};

}  // namespace

const Schema<RandomCropOptions>& RandomCropOptions::schema() {
  using O = RandomCropOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    add_size_field(fields);
    fields.field(&O::padding, "padding", "Points around the image that may come into view.",
                 at_least(0), at_most(65'500));
    add_fill_fields(fields);
    add_box_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> random_crop(const RandomCropOptions& options) {
  return choose<SampleOp>("random_crop", options);
}

void register_random_crop(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<RandomCropPolicy>>("random_crop",
                                              "A window of an image at a random place.");
}

}  // namespace hearth::sample_ops
