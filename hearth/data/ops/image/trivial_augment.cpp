// One change of any strength for each image.
#include "hearth/data/ops/image/trivial_augment.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/augment.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class TrivialAugment : public PixelOp<TrivialAugmentOptions> {
 public:
  explicit TrivialAugment(Options options)
      : PixelOp("trivial_augment", std::move(options), {.takes_any_colors = false}),
        augmenter_(options_.fill) {}

 private:
  void change(Random& random, const View& view) const override {
    const Pixels image = pixels_of(view);
    const auto drawn = pixels::drawn_change(random, pixels::kChangesOfRandAugment);
    const int64_t bin = random.between(0, options_.bins - 1);
    augmenter_.apply(random, image, drawn, pixels::kTrivialAugmentStrengths, {bin, options_.bins});
  }

  pixels::Augmenter augmenter_;
};

}  // namespace

const Schema<TrivialAugmentOptions>& TrivialAugmentOptions::schema() {
  using O = TrivialAugmentOptions;
  static const auto schema = policy_schema<O>().field(
      &O::bins, "bins", "How many steps there are from no change to the strongest.", at_least(2),
      at_most(10'000));
  return schema;
}

Choice<SampleOp> trivial_augment(TrivialAugmentOptions options) {
  return choose<SampleOp>("trivial_augment", options);
}

void register_trivial_augment(Registry<SampleOp>& registry) {
  registry.add<TrivialAugment>(
      "trivial_augment",
      "TrivialAugment (wide): one change of any strength for each image, as torchvision's.");
}

}  // namespace hearth::sample_ops
