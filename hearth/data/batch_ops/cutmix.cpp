// Rows i and n - 1 - i of a batch exchange a rectangle, whose share of the image is drawn for each
// batch from Beta(alpha, alpha); labels are blended by the share that each image keeps.
#include "hearth/data/batch_ops/cutmix.h"

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/label_shares.h"
#include "hearth/format/image_resample.h"

namespace hearth::batch_ops {

namespace {

// Of the given share of an image, around a place anywhere in it; what lies outside is cut off.
ImageRegion drawn_rectangle(Random& random, int64_t height, int64_t width, double share) {
  const auto side = [&](int64_t length, int64_t& start, int64_t& size) {
    const auto half = static_cast<int64_t>(static_cast<double>(length) * std::sqrt(share)) / 2;
    const int64_t centre = random.between(0, length - 1);
    start = std::clamp<int64_t>(centre - half, 0, length);
    size = std::clamp<int64_t>(centre + half, 0, length) - start;
  };
  ImageRegion region;
  side(height, region.top, region.height);
  side(width, region.left, region.width);
  return region;
}

class Cutmix : public BatchOp {
 public:
  using Options = CutmixOptions;
  explicit Cutmix(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key, options_.label}; }
  std::vector<std::string> writes() const override { return {options_.key, options_.label}; }
  bool is_in_place() const override { return true; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& image = inputs.at(0);
    if (!is_image(image) || image.is_ragged())
      throw GraphError("cutmix: key " + quote(options_.key) +
                       " must be an image of one size, [B, height, width, channels], but is " +
                       image.text() + " and " + std::string(name(image.role)) +
                       ". Put resize or a crop into data.ops.");
    return {image, shares_spec(inputs.at(1), "cutmix", options_.label)};
  }

  void run(Random& random, std::span<const BatchView> inputs,
           std::span<const BatchCell> outputs) const override {
    const BatchView images = outputs[0].view();
    const auto& shape = images.spec().shape;
    const double cut = 1 - beta_draw(random, options_.alpha);
    const ImageRegion region = drawn_rectangle(random, shape[0], shape[1], cut);
    const int64_t rows = inputs[0].rows();
    for (int64_t i = 0; i < rows / 2; ++i)
      exchange(images.row(i), images.row(rows - 1 - i), region);
    const auto kept = 1 - static_cast<double>(region.height * region.width) /
                              static_cast<double>(shape[0] * shape[1]);
    blend_labels(inputs[1], outputs[1].view(), static_cast<float>(kept));
  }

 private:
  static void exchange(const View& left, const View& right, const ImageRegion& region) {
    const int64_t point = left.shape[2] * size_of(left.spec->dtype);
    for (int64_t y = region.top; y < region.top + region.height; ++y) {
      const int64_t at = (y * left.shape[1] + region.left) * point;
      std::swap_ranges(left.data + at, left.data + at + region.width * point, right.data + at);
    }
  }

  Options options_;
};

}  // namespace

const Schema<CutmixOptions>& CutmixOptions::schema() {
  using O = CutmixOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The images, of one size.", not_empty())
          .field(&O::label, "label",
                 "The key of their classes, which becomes a share for each class.", not_empty())
          .field(&O::alpha, "alpha",
                 "How large the rectangle is: its share of the image is drawn from Beta(alpha, "
                 "alpha); 1 makes all shares as likely.",
                 above(0), at_most(1e6));
  return schema;
}

Choice<BatchOp> cutmix(CutmixOptions options) { return choose<BatchOp>("cutmix", options); }

void register_cutmix(Registry<BatchOp>& registry) {
  registry.add<Cutmix>("cutmix",
                       "Exchanges a rectangle between the images of a batch, pair by pair.");
}

}  // namespace hearth::batch_ops
