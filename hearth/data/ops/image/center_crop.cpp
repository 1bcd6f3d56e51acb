// The middle of an image; masks, boxes and points go with it.
#include "hearth/data/ops/image/center_crop.h"

#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_window.h"

namespace hearth::sample_ops {

namespace {

class CenterCrop : public SampleOp {
 public:
  using Options = CenterCropOptions;
  explicit CenterCrop(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return options_.keys; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return options_.keys; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    require_image(inputs.at(0), "center_crop", options_.keys[0]);
    if (const auto fault = size_fault({inputs[0].shape[0], inputs[0].shape[1]}))
      throw GraphError("center_crop: " + *fault);
    return window_specs(inputs, image_size(options_.size), "center_crop", options_.keys);
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const ImageSize size = image_size(options_.size);
    const ImageSize have{inputs[0].shape[0], inputs[0].shape[1]};
    if (const auto fault = size_fault(have)) throw DataError(*fault);
    const ImageWindow window{(have.height - size.height) / 2, (have.width - size.width) / 2, size};
    for (size_t k = 0; k < inputs.size(); ++k) cut_window(inputs[k], window, 0, outputs[k]);
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
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys",
                 "The image, and its masks, boxes and points, which are cut the same way.",
                 not_empty())
          .field(&O::size, "size", "Height and width, or one number for both.", not_empty(),
                 at_least(1), at_most(65'500))
          .check("'size' must hold one number, or height and width.",
                 [](const O& options) { return options.size.size() <= 2; });
  return schema;
}

Choice<SampleOp> center_crop(const CenterCropOptions& options) {
  return choose<SampleOp>("center_crop", options);
}

void register_center_crop(Registry<SampleOp>& registry) {
  registry.add<CenterCrop>("center_crop", "The middle of an image.");
}

}  // namespace hearth::sample_ops
