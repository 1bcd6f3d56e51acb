// Moves pixels towards or away from the mean gray, by a factor drawn for each image.
#include "hearth/data/ops/image/contrast.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/factor_op.h"
#include "hearth/data/image/tone.h"

namespace hearth::sample_ops {

namespace {

struct ContrastChange {
  using Options = ContrastOptions;
  static constexpr const char* kName = "contrast";
  static constexpr bool kTakesAnyColors = false;
  static void adjust(const Pixels& image, double factor) { pixels::adjust_contrast(image, factor); }
};

}  // namespace

const Schema<ContrastOptions>& ContrastOptions::schema() {
  static const auto schema = factor_schema<ContrastOptions>();
  return schema;
}

Choice<SampleOp> contrast(ContrastOptions options) { return choose<SampleOp>("contrast", options); }

void register_contrast(Registry<SampleOp>& registry) {
  registry.add<FactorOp<ContrastChange>>(
      "contrast",
      "Moves pixels towards or away from the image's mean gray, as torchvision's ColorJitter.");
}

}  // namespace hearth::sample_ops
