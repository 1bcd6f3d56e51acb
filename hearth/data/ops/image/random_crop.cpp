// A window of an image at a place drawn for each sample; masks, boxes and points go with it.
#include "hearth/data/ops/image/random_crop.h"

#include <optional>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_window.h"

namespace hearth::sample_ops {

namespace {

class RandomCrop : public SampleOp {
 public:
  using Options = RandomCropOptions;
  explicit RandomCrop(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return options_.keys; }
  std::vector<std::string> writes() const override { return options_.keys; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    require_image(inputs.at(0), "random_crop", options_.keys[0]);
    if (const auto fault = size_fault({inputs[0].shape[0], inputs[0].shape[1]}))
      throw GraphError("random_crop: " + *fault);
    return window_specs(inputs, image_size(options_.size), "random_crop", options_.keys);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const ImageSize have{inputs[0].shape[0], inputs[0].shape[1]};
    if (const auto fault = size_fault(have)) throw DataError(*fault);
    ImageWindow window{0, 0, image_size(options_.size)};
    window.top = place(random, have.height, window.size.height);
    window.left = place(random, have.width, window.size.width);
    for (size_t k = 0; k < inputs.size(); ++k)
      cut_window(inputs[k], window, options_.fill, outputs[k]);
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
  static const auto schema =
      Schema<O>()
          .field(&O::keys, "keys",
                 "The image, and its masks, boxes and points, which are cut the same way.",
                 not_empty())
          .field(&O::size, "size", "Height and width, or one number for both.", not_empty(),
                 at_least(1), at_most(65'500))
          .field(&O::padding, "padding", "Points around the image that may come into view.",
                 at_least(0), at_most(65'500))
          .field(&O::fill, "fill", "The value of what lies outside of the image.")
          .check("'size' must hold one number, or height and width.",
                 [](const O& options) { return options.size.size() <= 2; });
  return schema;
}

Choice<SampleOp> random_crop(const RandomCropOptions& options) {
  return choose<SampleOp>("random_crop", options);
}

void register_random_crop(Registry<SampleOp>& registry) {
  registry.add<RandomCrop>("random_crop", "A window of an image at a random place.");
}

}  // namespace hearth::sample_ops
