// Makes colours paler or stronger by a factor drawn for each image.
#include "hearth/data/ops/image/saturation.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/color.h"
#include "hearth/data/image/factor_op.h"

namespace hearth::sample_ops {

namespace {

struct SaturationChange {
  using Options = SaturationOptions;
  static constexpr const char* kName = "saturation";
  static constexpr bool kTakesAnyColors = false;
  static void adjust(const Pixels& image, double factor) {
    pixels::adjust_saturation(image, factor);
  }
};

}  // namespace

const Schema<SaturationOptions>& SaturationOptions::schema() {
  static const auto schema = factor_schema<SaturationOptions>();
  return schema;
}

Choice<SampleOp> saturation(SaturationOptions options) {
  return choose<SampleOp>("saturation", options);
}

void register_saturation(Registry<SampleOp>& registry) {
  registry.add<FactorOp<SaturationChange>>(
      "saturation",
      "Makes colours paler or stronger, as torchvision's ColorJitter; gray images stay.");
}

}  // namespace hearth::sample_ops
