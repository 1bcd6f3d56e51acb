// Several chains of changes of an image, mixed with the image itself.
#include "hearth/data/ops/image/aug_mix.h"

#include <algorithm>
#include <array>

#include "hearth/config/registry.h"
#include "hearth/data/gamma_draw.h"
#include "hearth/data/image/augment.h"
#include "hearth/data/image/mixture.h"
#include "hearth/data/image/pixels.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

constexpr int64_t kAugMixBins = 10;

class AugMix : public PixelOp<AugMixOptions> {
 public:
  explicit AugMix(Options options)
      : PixelOp("aug_mix", std::move(options), {.takes_any_colors = false}),
        augmenter_(options_.fill) {}

 private:
  void change(Random& random, const View& view) const override {
    thread_local Scratch<double> share_scratch;
    thread_local Scratch<uint8_t> chain_scratch;
    const Pixels image = pixels_of(view);
    const auto [own, rest] = drawn_pair(random);
    const auto shares = share_scratch.take(static_cast<size_t>(options_.mixture_width));
    draw_shares(random, options_.alpha, shares);
    pixels::Mixture mixture(image, own);
    Pixels chain = image;
    chain.bytes = chain_scratch.take(image.all().size()).data();
    for (const double share : shares) {
      std::ranges::copy(image.all(), chain.bytes);
      change_chain(random, chain);
      mixture.add(chain, rest * share);
    }
    mixture.write(image);
  }

  // The share of the image itself, and of all chains together.
  [[nodiscard]] std::pair<double, double> drawn_pair(Random& random) const {
    std::array<double, 2> shares;
    draw_shares(random, options_.alpha, shares);
    return {shares[0], shares[1]};
  }

  void change_chain(Random& random, const Pixels& chain) const {
    const int64_t depth = options_.chain_depth > 0 ? options_.chain_depth : random.between(1, 3);
    std::span<const pixels::Change> changes = pixels::kChangesOfAugMix;
    if (!options_.all_ops) changes = changes.first(pixels::kPlainChangesOfAugMix);
    for (int64_t i = 0; i < depth; ++i) {
      const auto drawn = pixels::drawn_change(random, changes);
      const int64_t bin = random.between(0, options_.severity - 1);
      augmenter_.apply(random, chain, drawn, pixels::kAugMixStrengths, {bin, kAugMixBins});
    }
  }

  pixels::Augmenter augmenter_;
};

}  // namespace

const Schema<AugMixOptions>& AugMixOptions::schema() {
  using O = AugMixOptions;
  static const auto schema =
      policy_schema<O>()
          .field(&O::severity, "severity", "How strong changes are at most: a step of ten.",
                 at_least(1), at_most(kAugMixBins))
          .field(&O::mixture_width, "mixture_width", "How many chains of changes are mixed.",
                 at_least(1), at_most(100))
          .field(&O::chain_depth, "chain_depth", "How many changes a chain has; -1 draws 1 to 3.",
                 at_least(-1), at_most(100))
          .field(&O::alpha, "alpha",
                 "Of the Dirichlet distributions that shares are drawn from: the larger, the more "
                 "even.",
                 above(0), at_most(1'000'000))
          .field(&O::all_ops, "all_ops",
                 "Whether changes of brightness, contrast, color and sharpness are among them.")
          .check("'chain_depth' must be -1, or at least 1.",
                 [](const O& options) { return options.chain_depth != 0; });
  return schema;
}

Choice<SampleOp> aug_mix(AugMixOptions options) { return choose<SampleOp>("aug_mix", options); }

void register_aug_mix(Registry<SampleOp>& registry) {
  registry.add<AugMix>("aug_mix",
                       "AugMix: chains of changes of an image, mixed with the image itself, as "
                       "torchvision's with interpolation nearest.");
}

}  // namespace hearth::sample_ops
