// Residual networks; children are named as in torchvision.
#include "hearth/nn/architectures/resnet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/bottleneck_block.h"
#include "hearth/nn/blocks/residual_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/residual.h"

namespace hearth::layers {
namespace {

struct ResnetForm {
  int64_t depth = 0;
  bool is_small = false;  // for images of 32 points a side: no early shrinking
  bool is_bottleneck = false;
  std::vector<int64_t> blocks = {};  // of each stage; from the second on, a stage halves the sides
};

ResnetForm small_resnet(int64_t depth) {
  const int64_t blocks = (depth - 2) / 6;
  return {depth, true, false, {blocks, blocks, blocks}};
}

const std::vector<ResnetForm>& resnet_forms() {
  static const std::vector<ResnetForm> forms = {small_resnet(20),
                                                small_resnet(32),
                                                small_resnet(44),
                                                small_resnet(56),
                                                small_resnet(110),
                                                {18, false, false, {2, 2, 2, 2}},
                                                {34, false, false, {3, 4, 6, 3}},
                                                {50, false, true, {3, 4, 6, 3}},
                                                {101, false, true, {3, 4, 23, 3}},
                                                {152, false, true, {3, 8, 36, 3}}};
  return forms;
}

const ResnetForm* find_resnet(int64_t depth) {
  const auto& forms = resnet_forms();
  const auto found = std::find_if(forms.begin(), forms.end(),
                                  [&](const ResnetForm& form) { return form.depth == depth; });
  return found == forms.end() ? nullptr : &*found;
}

// One stage after another, each with the dilation that those before it left.
class ResnetStages {
 public:
  ResnetStages(const ResnetOptions& options, const ResnetForm& form)
      : options_(options), form_(form) {}

  Choice<Layer> stage(size_t index, int64_t channels) {
    const bool halves = index > 0;
    const bool is_dilated = halves && index - 1 < options_.replace_stride_with_dilation.size() &&
                            options_.replace_stride_with_dilation[index - 1];
    const int64_t first_dilation = dilation_;
    if (is_dilated) dilation_ *= 2;
    SequentialOptions blocks;
    for (int64_t i = 0; i < form_.blocks[index]; ++i)
      blocks.layers.push_back(block(channels, halves && !is_dilated && i == 0 ? 2 : 1,
                                    i == 0 ? first_dilation : dilation_));
    return sequential(blocks);
  }

 private:
  [[nodiscard]] Choice<Layer> block(int64_t channels, int64_t stride, int64_t dilation) const {
    if (!form_.is_bottleneck) return residual_block({.out_channels = channels, .stride = stride});
    return bottleneck_block({.channels = channels,
                             .stride = stride,
                             .groups = options_.groups,
                             .width_per_group = options_.width_per_group,
                             .dilation = dilation});
  }

  const ResnetOptions& options_;
  const ResnetForm& form_;
  int64_t dilation_ = 1;
};

class Resnet : public Layer {
 public:
  using Options = ResnetOptions;
  explicit Resnet(ResnetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "resnet", inputs.front(), options_);
    NamedLayers all = resnet_features(options_);
    all.emplace_back("avgpool", global_average_pool());
    all.emplace_back("fc", linear({.out_features = classes}));
    return chain(all, classes);
  }

 private:
  ResnetOptions options_;
};

// Whether only a network of bottleneck blocks can have them.
bool are_for_bottlenecks(const ResnetOptions& options) {
  return options.groups != 1 || options.width_per_group != 64 ||
         !options.replace_stride_with_dilation.empty();
}

}  // namespace

const Schema<ResnetOptions>& ResnetOptions::schema() {
  using O = ResnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::depth, "depth",
                 "Layers with weights: 20, 32, 44, 56 or 110 for small images such as CIFAR's; 18, "
                 "34, 50, 101 or 152 for large ones such as ImageNet's.")
          .field(&O::width, "width",
                 "Channels of the first stage. Left out: 16 for small images, 64 for large ones.",
                 at_least(1))
          .field(&O::groups, "groups",
                 "Parts each 3x3 convolution is split into: 32 or 64 for ResNeXt.", at_least(1))
          .field(&O::width_per_group, "width_per_group",
                 "Channels of each part in a first stage of 64: 4 or 8 for ResNeXt, 128 for a wide "
                 "network.",
                 at_least(1))
          .field(&O::replace_stride_with_dilation, "replace_stride_with_dilation",
                 "For each stage from the second on, whether it spreads its windows instead of "
                 "halving the sides, as segmentation does.")
          .check(
              "depth must be 20, 32, 44, 56 or 110 (small images), or 18, 34, 50, 101 or 152 "
              "(large images).",
              [](const O& options) { return find_resnet(options.depth) != nullptr; })
          .check(
              "groups, width_per_group and replace_stride_with_dilation need depth 50, 101 or 152.",
              [](const O& options) {
                const ResnetForm* form = find_resnet(options.depth);
                return form == nullptr || form->is_bottleneck || !are_for_bottlenecks(options);
              });
  return fields;
}

NamedLayers resnet_features(const ResnetOptions& options) {
  const ResnetForm& form = *find_resnet(options.depth);
  const int64_t width = options.width.value_or(form.is_small ? 16 : 64);
  NamedLayers all = {{"conv1", form.is_small ? residual_convolution({width})
                                             : residual_convolution({width, 7, 2})},
                     {"bn1", batch_norm2d()},
                     {"relu", relu()}};
  if (!form.is_small)
    all.emplace_back("maxpool", max_pool2d({.kernel_size = 3, .stride = 2, .padding = 1}));
  ResnetStages stages(options, form);
  for (size_t i = 0; i < form.blocks.size(); ++i)
    all.emplace_back("layer" + std::to_string(i + 1), stages.stage(i, width << i));
  return all;
}

Choice<Layer> resnet(ResnetOptions options) { return choose<Layer>("resnet", options); }

void register_resnet(Registry<Layer>& layers) {
  layers.add<Resnet>("resnet", "A residual network, for small images or for large ones.");
}

}  // namespace hearth::layers
