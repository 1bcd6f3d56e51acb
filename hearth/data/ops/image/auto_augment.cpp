// A pair of changes out of those that were learned on a data set.
#include "hearth/data/ops/image/auto_augment.h"

#include "hearth/config/registry.h"
#include "hearth/data/image/augment.h"
#include "hearth/data/image/auto_augment_policies.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

constexpr int64_t kAutoAugmentBins = 10;

class AutoAugment : public PixelOp<AutoAugmentOptions> {
 public:
  explicit AutoAugment(Options options)
      : PixelOp("auto_augment", std::move(options), {.takes_any_colors = false}),
        policy_(pixels::auto_augment_policy(options_.policy)),
        augmenter_(options_.fill) {}

 private:
  void change(Random& random, const View& view) const override {
    const Pixels image = pixels_of(view);
    const auto& pair = policy_[random.below(static_cast<uint32_t>(policy_.size()))];
    for (const pixels::PolicyStep& step : {pair.first, pair.second}) {
      if (random.uniform() >= step.probability) continue;
      augmenter_.apply(random, image, step.change, pixels::kRandAugmentStrengths,
                       {step.bin, kAutoAugmentBins});
    }
  }

  std::span<const pixels::PolicyPair> policy_;
  pixels::Augmenter augmenter_;
};

}  // namespace

const Schema<AutoAugmentOptions>& AutoAugmentOptions::schema() {
  using O = AutoAugmentOptions;
  static const auto schema =
      policy_schema<O>().field(&O::policy, "policy", "The data set that the pairs were learned on.",
                               one_of({"imagenet", "cifar10", "svhn"}));
  return schema;
}

Choice<SampleOp> auto_augment(AutoAugmentOptions options) {
  return choose<SampleOp>("auto_augment", options);
}

void register_auto_augment(Registry<SampleOp>& registry) {
  registry.add<AutoAugment>(
      "auto_augment",
      "AutoAugment: a pair of changes out of those learned on a data set, as torchvision's.");
}

}  // namespace hearth::sample_ops
