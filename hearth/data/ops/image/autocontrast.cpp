// Stretches each channel from black to white.
#include "hearth/data/ops/image/autocontrast.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Autocontrast : public PixelOp<AutocontrastOptions> {
 public:
  explicit Autocontrast(Options options)
      : PixelOp("autocontrast", std::move(options), {.draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override { pixels::autocontrast(pixels_of(image)); }
};

}  // namespace

const Schema<AutocontrastOptions>& AutocontrastOptions::schema() {
  using O = AutocontrastOptions;
  static const auto schema = pixel_schema<O>();
  return schema;
}

Choice<SampleOp> autocontrast(AutocontrastOptions options) {
  return choose<SampleOp>("autocontrast", options);
}

void register_autocontrast(Registry<SampleOp>& registry) {
  registry.add<Autocontrast>(
      "autocontrast",
      "Stretches each channel from black to white, as torchvision's RandomAutocontrast.");
}

}  // namespace hearth::sample_ops
