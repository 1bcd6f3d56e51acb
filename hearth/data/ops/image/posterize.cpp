// Keeps only the upper bits of every byte.
#include "hearth/data/ops/image/posterize.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Posterize : public PixelOp<PosterizeOptions> {
 public:
  explicit Posterize(Options options)
      : PixelOp("posterize", std::move(options), {.draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override {
    pixels::posterize(pixels_of(image), options_.bits);
  }
};

}  // namespace

const Schema<PosterizeOptions>& PosterizeOptions::schema() {
  using O = PosterizeOptions;
  static const auto schema = pixel_schema<O>().field(
      &O::bits, "bits", "How many bits of each byte are kept.", at_least(0), at_most(8));
  return schema;
}

Choice<SampleOp> posterize(PosterizeOptions options) {
  return choose<SampleOp>("posterize", options);
}

void register_posterize(Registry<SampleOp>& registry) {
  registry.add<Posterize>(
      "posterize", "Keeps only the upper bits of every byte, as torchvision's RandomPosterize.");
}

}  // namespace hearth::sample_ops
