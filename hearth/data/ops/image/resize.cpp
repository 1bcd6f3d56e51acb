// Images brought to one size by averaging or between pixel centres, masks by the nearest point.
#include "hearth/data/ops/image/resize.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_size.h"
#include "hearth/format/image.h"

namespace hearth::sample_ops {

namespace {

void resize_mask(const View& mask, const ImageSize& size, std::byte* to) {
  const int64_t point = elements_of(mask.shape.subspan(2)) * size_of(mask.spec->dtype);
  for (int64_t y = 0; y < size.height; ++y)
    for (int64_t x = 0; x < size.width; ++x, to += point) {
      const int64_t from_y = (2 * y + 1) * mask.shape[0] / (2 * size.height);
      const int64_t from_x = (2 * x + 1) * mask.shape[1] / (2 * size.width);
      std::memcpy(to, mask.data + (from_y * mask.shape[1] + from_x) * point,
                  static_cast<size_t>(point));
    }
}

class Resize : public SampleOp {
 public:
  using Options = ResizeOptions;
  explicit Resize(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.key}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& spec = inputs.at(0);
    if (is_image(spec) && spec.dtype != DType::kUint8)
      throw GraphError("resize: the image " + quote(options_.key) + " must be of bytes, but is " +
                       spec.text() + ". Put resize before normalize.");
    return {resized_spec(spec, image_size(options_.size), "resize", options_.key)};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    const ImageSize size = image_size(options_.size);
    const View out = outputs[0].view();
    if (in.elements() == 0) throw DataError("cannot resize an image without a point.");
    if (in.spec->role == Role::kMask) return resize_mask(in, size, out.data);
    resize_into({in.shape[1], in.shape[0], in.shape[2], in.as<uint8_t>().data()}, size.width,
                size.height, out.as<uint8_t>().data());
  }

 private:
  Options options_;
};

}  // namespace

const Schema<ResizeOptions>& ResizeOptions::schema() {
  using O = ResizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The image of bytes, or the mask, to resize.", not_empty())
          .field(&O::size, "size", "Height and width, or one number for both.", not_empty(),
                 at_least(1), at_most(65'500))
          .check("'size' must hold one number, or height and width.",
                 [](const O& options) { return options.size.size() <= 2; });
  return schema;
}

Choice<SampleOp> resize(ResizeOptions options) { return choose<SampleOp>("resize", options); }

void register_resize(Registry<SampleOp>& registry) {
  registry.add<Resize>("resize", "Brings images and masks of any size to one.");
}

}  // namespace hearth::sample_ops
