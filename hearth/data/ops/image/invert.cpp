// Makes negatives of some images.
#include "hearth/data/ops/image/invert.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Invert : public PixelOp<InvertOptions> {
 public:
  explicit Invert(Options options)
      : PixelOp("invert", std::move(options), {.draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override { pixels::invert(pixels_of(image)); }
};

}  // namespace

const Schema<InvertOptions>& InvertOptions::schema() {
  using O = InvertOptions;
  static const auto schema = pixel_schema<O>();
  return schema;
}

Choice<SampleOp> invert(InvertOptions options) { return choose<SampleOp>("invert", options); }

void register_invert(Registry<SampleOp>& registry) {
  registry.add<Invert>("invert", "Makes negatives of some images, as torchvision's RandomInvert.");
}

}  // namespace hearth::sample_ops
