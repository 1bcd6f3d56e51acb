// Takes the colours out of some images, which keep their channels.
#include "hearth/data/ops/image/grayscale.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Grayscale : public PixelOp<GrayscaleOptions> {
 public:
  explicit Grayscale(Options options)
      : PixelOp("grayscale", std::move(options),
                {.takes_any_white = true, .takes_any_colors = false, .draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override { pixels::grayscale(pixels_of(image)); }
};

}  // namespace

const Schema<GrayscaleOptions>& GrayscaleOptions::schema() {
  using O = GrayscaleOptions;
  static const auto schema = pixel_schema<O>();
  return schema;
}

Choice<SampleOp> grayscale(GrayscaleOptions options) {
  return choose<SampleOp>("grayscale", options);
}

void register_grayscale(Registry<SampleOp>& registry) {
  registry.add<Grayscale>(
      "grayscale", "Takes the colours out of some images, as torchvision's RandomGrayscale.");
}

}  // namespace hearth::sample_ops
