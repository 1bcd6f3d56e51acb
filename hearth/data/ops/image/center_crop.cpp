// The middle of an image; masks, boxes and points go with it.
#include "hearth/data/ops/image/center_crop.h"

#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/geometry/geometric_op.h"
#include "hearth/data/geometry/window_transform.h"

namespace hearth::sample_ops {

namespace {

class CenterCropPolicy {
 public:
  using Options = CenterCropOptions;
  explicit CenterCropPolicy(Options options) : options_(std::move(options)) {}

  [[nodiscard]] static bool is_random() { return false; }
  [[nodiscard]] MovedKeys keys() const { return moved_keys("center_crop", options_); }
  [[nodiscard]] ImageSize size(const ImageSize& image) const {
    if (const auto fault = size_fault(image)) throw GraphError("center_crop: " + *fault);
    return image_size(options_.size);
  }
  [[nodiscard]] WindowTransform draw(Random&, const ImageSize& image) const {
    if (const auto fault = size_fault(image)) throw DataError(*fault);
    const ImageSize size = image_size(options_.size);
    return WindowTransform(
        {middle_start(image.height - size.height), middle_start(image.width - size.width), size});
  }

 private:
  // Sides of any length are looked at when there is an image.
  [[nodiscard]] std::optional<std::string> size_fault(const ImageSize& have) const {
    const ImageSize size = image_size(options_.size);
    const auto is_short = [](int64_t side, int64_t wanted) {
      return side != kAnyLength && side < wanted;
    };
    if (!is_short(have.height, size.height) && !is_short(have.width, size.width))
      return std::nullopt;
    const auto text = [](int64_t side) {
      return side == kAnyLength ? std::string("?") : std::to_string(side);
    };
    return "the image is " + text(have.height) + " x " + text(have.width) +
           ", smaller than the crop of " + text(size.height) + " x " + text(size.width) +
           ". Put resize or pad_to before it.";
  }

  Options options_;
};

}  // namespace

const Schema<CenterCropOptions>& CenterCropOptions::schema() {
  using O = CenterCropOptions;
  static const auto schema = [] {
    Schema<O> fields;
    add_key_fields(fields);
    add_size_field(fields);
    add_box_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<SampleOp> center_crop(const CenterCropOptions& options) {
  return choose<SampleOp>("center_crop", options);
}

void register_center_crop(Registry<SampleOp>& registry) {
  registry.add<GeometricOp<CenterCropPolicy>>("center_crop", "The middle of an image.");
}

}  // namespace hearth::sample_ops
