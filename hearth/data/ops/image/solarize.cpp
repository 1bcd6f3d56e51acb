// Inverts what is bright.
#include "hearth/data/ops/image/solarize.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Solarize : public PixelOp<SolarizeOptions> {
 public:
  explicit Solarize(Options options)
      : PixelOp("solarize", std::move(options), {.draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override {
    pixels::solarize(pixels_of(image), options_.threshold);
  }
};

}  // namespace

const Schema<SolarizeOptions>& SolarizeOptions::schema() {
  using O = SolarizeOptions;
  static const auto schema = pixel_schema<O>().field(&O::threshold, "threshold",
                                                     "The least value that is inverted, 0 to 255.",
                                                     at_least(0), at_most(255));
  return schema;
}

Choice<SampleOp> solarize(SolarizeOptions options) { return choose<SampleOp>("solarize", options); }

void register_solarize(Registry<SampleOp>& registry) {
  registry.add<Solarize>(
      "solarize", "Inverts bytes that are not below a threshold, as torchvision's RandomSolarize.");
}

}  // namespace hearth::sample_ops
