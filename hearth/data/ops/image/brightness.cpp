// Makes images brighter or darker by a factor drawn for each.
#include "hearth/data/ops/image/brightness.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/factor_op.h"
#include "hearth/data/image/tone.h"

namespace hearth::sample_ops {

namespace {

struct BrightnessChange {
  using Options = BrightnessOptions;
  static constexpr const char* kName = "brightness";
  static constexpr bool kTakesAnyColors = true;
  static void adjust(const Pixels& image, double factor) {
    pixels::adjust_brightness(image, factor);
  }
};

}  // namespace

const Schema<BrightnessOptions>& BrightnessOptions::schema() {
  static const auto schema = factor_schema<BrightnessOptions>();
  return schema;
}

Choice<SampleOp> brightness(BrightnessOptions options) {
  return choose<SampleOp>("brightness", options);
}

void register_brightness(Registry<SampleOp>& registry) {
  registry.add<FactorOp<BrightnessChange>>(
      "brightness",
      "Makes images brighter or darker, each by another factor, as torchvision's ColorJitter.");
}

}  // namespace hearth::sample_ops
