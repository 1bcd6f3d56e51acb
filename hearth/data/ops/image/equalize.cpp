// Spreads the values of a channel so that all occur about as often.
#include "hearth/data/ops/image/equalize.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/tone.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class Equalize : public PixelOp<EqualizeOptions> {
 public:
  explicit Equalize(Options options)
      : PixelOp("equalize", std::move(options), {.draws_nothing = true}) {}

 private:
  void change(Random&, const View& image) const override { pixels::equalize(pixels_of(image)); }
};

}  // namespace

const Schema<EqualizeOptions>& EqualizeOptions::schema() {
  using O = EqualizeOptions;
  static const auto schema = pixel_schema<O>();
  return schema;
}

Choice<SampleOp> equalize(EqualizeOptions options) { return choose<SampleOp>("equalize", options); }

void register_equalize(Registry<SampleOp>& registry) {
  registry.add<Equalize>(
      "equalize",
      "Spreads values so that all occur about as often, as torchvision's RandomEqualize.");
}

}  // namespace hearth::sample_ops
