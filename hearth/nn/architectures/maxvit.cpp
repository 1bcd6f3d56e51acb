// MaxViT; children are named as in torchvision.
#include "hearth/nn/architectures/maxvit.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/maxvit_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/activation/tanh.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/stages.h"

namespace hearth::layers {
namespace {

constexpr double kMaxvitDeviation = 0.02;
constexpr double kMostBlocks = 64;  // of a stage: each is as much as a small network

class Maxvit : public Layer {
 public:
  using Options = MaxvitOptions;
  explicit Maxvit(MaxvitOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    if (context.is_first()) draw_products(*this, context, normal_weights(kMaxvitDeviation));
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "maxvit", inputs.front(), options_);
    return chain({{"stem", stem()}, {"blocks", blocks()}, {"classifier", classifier(classes)}},
                 classes);
  }

 private:
  [[nodiscard]] Choice<Layer> stem() const {
    return sequential(
        {{conv_norm_activation({.out_channels = options_.stem,
                                .stride = 2,
                                .norm = batch_norm2d({.momentum = 0.99, .eps = 1e-3}),
                                .activation = gelu()}),
          conv_norm_activation(
              {.out_channels = options_.stem, .norm = std::nullopt, .activation = std::nullopt})}});
  }

  [[nodiscard]] Choice<Layer> blocks() const {
    SequentialOptions blocks;
    Stages stages(options_.depths, options_.drop_path, Stages::kReachesMost);
    for (const int64_t width : options_.widths) {
      const Choice<Layer> stage = stages.next([&](int64_t place, double drop_path) {
        return maxvit_block({.out_channels = width,
                             .stride = place == 0 ? 2 : 1,
                             .head_size = options_.head_size,
                             .window = options_.window,
                             .dropout = options_.dropout,
                             .drop_path = drop_path});
      });
      blocks.layers.push_back(sequential({{named(stage, "layers")}}));
    }
    return sequential(blocks);
  }

  // Numbers as in torchvision, whose second layer makes rows of images.
  [[nodiscard]] Choice<Layer> classifier(int64_t classes) const {
    return sequential(
        {{named(global_average_pool(), "0"), named(layer_norm(), "2"),
          named(linear({.out_features = options_.widths.back()}), "3"), named(tanh(), "4"),
          named(linear({.out_features = classes, .bias = false}), "5")}});
  }

  MaxvitOptions options_;
};

}  // namespace

const Schema<MaxvitOptions>& MaxvitOptions::schema() {
  using O = MaxvitOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::stem, "stem", "Channels of the first two convolutions.", at_least(1))
          .field(&O::widths, "widths", "Channels of each stage, which halves the image's sides.",
                 not_empty(), at_least(1))
          .field(&O::depths, "depths", "Blocks of each stage.", not_empty(), at_least(1),
                 at_most(kMostBlocks))
          .field(&O::head_size, "head_size", "Channels of a head of the attention.", at_least(1))
          .field(&O::window, "window",
                 "Side of windows and grids; the sides of the image in every stage must be "
                 "multiples of it. With four stages, 7 takes pictures of 224 or 448 points.",
                 at_least(2))
          .field(&O::drop_path, "drop_path",
                 "Share of samples whose change the last block drops while training, growing from "
                 "0 at the first.",
                 at_least(0), below(1))
          .field(&O::dropout, "dropout", "Share of the small networks' values dropped in training.",
                 at_least(0), below(1))
          .check("widths and depths must be as many.",
                 [](const O& options) { return options.widths.size() == options.depths.size(); });
  return fields;
}

Choice<Layer> maxvit(MaxvitOptions options) { return choose<Layer>("maxvit", options); }

void register_maxvit(Registry<Layer>& layers) {
  layers.add<Maxvit>("maxvit",
                     "MaxViT: mobile convolutions, and attention in windows and over grids of an "
                     "image [C, H, W].");
}

}  // namespace hearth::layers
