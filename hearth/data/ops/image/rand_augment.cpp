// A few changes drawn for each image, all of one strength.
#include "hearth/data/ops/image/rand_augment.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/augment.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

class RandAugment : public PixelOp<RandAugmentOptions> {
 public:
  explicit RandAugment(Options options)
      : PixelOp("rand_augment", std::move(options), {.takes_any_colors = false}),
        augmenter_(options_.fill) {}

 private:
  void change(Random& random, const View& view) const override {
    const Pixels image = pixels_of(view);
    for (int64_t i = 0; i < options_.num_ops; ++i) {
      const auto drawn = pixels::drawn_change(random, pixels::kChangesOfRandAugment);
      augmenter_.apply(random, image, drawn, pixels::kRandAugmentStrengths,
                       {options_.magnitude, options_.bins});
    }
  }

  pixels::Augmenter augmenter_;
};

}  // namespace

const Schema<RandAugmentOptions>& RandAugmentOptions::schema() {
  using O = RandAugmentOptions;
  static const auto schema =
      policy_schema<O>()
          .field(&O::num_ops, "num_ops", "How many changes, one after another.", at_least(0),
                 at_most(100))
          .field(&O::magnitude, "magnitude", "How strong each is: a step of `bins`, from 0.",
                 at_least(0), at_most(10'000))
          .field(&O::bins, "bins", "How many steps there are from no change to the strongest.",
                 at_least(2), at_most(10'000))
          .check("'magnitude' must be below 'bins'.",
                 [](const O& options) { return options.magnitude < options.bins; });
  return schema;
}

Choice<SampleOp> rand_augment(RandAugmentOptions options) {
  return choose<SampleOp>("rand_augment", options);
}

void register_rand_augment(Registry<SampleOp>& registry) {
  registry.add<RandAugment>(
      "rand_augment",
      "RandAugment: a few changes drawn for each image, all of one strength, as torchvision's.");
}

}  // namespace hearth::sample_ops
