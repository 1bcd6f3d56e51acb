// Small networks that shuffle channels between branches; children are named as in torchvision.
#include "hearth/nn/architectures/shufflenet_v2.h"

#include <algorithm>
#include <map>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/shuffle_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"

namespace hearth::layers {
namespace {

// Channels of the first convolution, of the three stages, and of the last convolution.
const std::map<double, std::vector<int64_t>>& shufflenet_v2_forms() {
  static const std::map<double, std::vector<int64_t>> forms = {{0.5, {24, 48, 96, 192, 1024}},
                                                               {1.0, {24, 116, 232, 464, 1024}},
                                                               {1.5, {24, 176, 352, 704, 1024}},
                                                               {2.0, {24, 244, 488, 976, 2048}}};
  return forms;
}

constexpr size_t kShuffleStages = 3;

class ShufflenetV2 : public Layer {
 public:
  using Options = ShufflenetV2Options;
  explicit ShufflenetV2(ShufflenetV2Options options)
      : options_(std::move(options)),
        channels_(options_.stages_out_channels.value_or(shufflenet_v2_forms().at(options_.width))) {
  }

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "shufflenet_v2", inputs.front(), options_);
    NamedLayers all = {
        {"conv1",
         convolution(
             {.out_channels = channels_.front(), .stride = 2, .padding = 1, .bias = false})},
        {"maxpool", max_pool2d({.kernel_size = 3, .stride = 2, .padding = 1})}};
    for (size_t i = 0; i < kShuffleStages; ++i)
      all.emplace_back("stage" + std::to_string(i + 2), stage(i));
    all.emplace_back(
        "conv5", convolution({.out_channels = channels_.back(), .kernel_size = 1, .bias = false}));
    all.emplace_back("avgpool", global_average_pool());
    all.emplace_back("fc", linear({.out_features = classes}));
    return chain(all, classes);
  }

 private:
  [[nodiscard]] static Choice<Layer> convolution(const Conv2dOptions& form) {
    return sequential({{conv2d(form), batch_norm2d(), relu()}});
  }

  [[nodiscard]] Choice<Layer> stage(size_t index) const {
    SequentialOptions blocks;
    for (int64_t i = 0; i < options_.stages_repeats[index]; ++i)
      blocks.layers.push_back(
          shuffle_block({.out_channels = channels_[index + 1], .stride = i == 0 ? 2 : 1}));
    return sequential(blocks);
  }

  ShufflenetV2Options options_;
  std::vector<int64_t> channels_;
};

}  // namespace

const Schema<ShufflenetV2Options>& ShufflenetV2Options::schema() {
  using O = ShufflenetV2Options;
  static const auto fields =
      class_fields<O>()
          .field(&O::width, "width", "How wide it is: 0.5, 1, 1.5 or 2.")
          .field(&O::stages_repeats, "stages_repeats", "Blocks of the three stages.", layer_count())
          .field(&O::stages_out_channels, "stages_out_channels",
                 "Channels of the first convolution, the three stages and the last convolution; by "
                 "width when left out.",
                 at_least(1))
          .check("width must be 0.5, 1, 1.5 or 2.",
                 [](const O& options) { return shufflenet_v2_forms().contains(options.width); })
          .check("stages_repeats must be three numbers, stages_out_channels five.",
                 [](const O& options) {
                   return options.stages_repeats.size() == kShuffleStages &&
                          (!options.stages_out_channels ||
                           options.stages_out_channels->size() == kShuffleStages + 2);
                 });
  return fields;
}

Choice<Layer> shufflenet_v2(ShufflenetV2Options options) {
  return choose<Layer>("shufflenet_v2", options);
}

void register_shufflenet_v2(Registry<Layer>& layers) {
  layers.add<ShufflenetV2>("shufflenet_v2",
                           "Branches of depthwise convolutions between which channels are "
                           "shuffled: small networks for phones.");
}

}  // namespace hearth::layers
