// Residual networks; children are named as in torchvision.
#include "hearth/nn/architectures/resnet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/bottleneck_block.h"
#include "hearth/nn/blocks/residual_block.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/requirements.h"
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

class Resnet : public Layer {
 public:
  using Options = ResnetOptions;
  explicit Resnet(ResnetOptions options) : options_(options), form_(*find_resnet(options.depth)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "resnet", inputs.front());
    const int64_t classes =
        require_classes(context, {"resnet", "classes", options_.classes, options_.classes_of});
    return chain(layers(classes), classes);
  }

 private:
  [[nodiscard]] NamedLayers layers(int64_t classes) const {
    const int64_t width = options_.width.value_or(form_.is_small ? 16 : 64);
    NamedLayers all = {{"conv1", form_.is_small ? residual_convolution(width, 3)
                                                : residual_convolution(width, 7, 2)},
                       {"bn1", batch_norm2d()},
                       {"relu", relu()}};
    if (!form_.is_small)
      all.emplace_back("maxpool", max_pool2d({.kernel_size = 3, .stride = 2, .padding = 1}));
    for (size_t i = 0; i < form_.blocks.size(); ++i)
      all.emplace_back("layer" + std::to_string(i + 1), stage(i, width << i));
    all.emplace_back("avgpool", global_average_pool());
    all.emplace_back("fc", linear({.out_features = classes}));
    return all;
  }

  [[nodiscard]] Choice<Layer> stage(size_t index, int64_t channels) const {
    SequentialOptions blocks;
    for (int64_t i = 0; i < form_.blocks[index]; ++i) {
      const int64_t stride = index > 0 && i == 0 ? 2 : 1;
      blocks.layers.push_back(form_.is_bottleneck
                                  ? bottleneck_block({.channels = channels, .stride = stride})
                                  : residual_block({.out_channels = channels, .stride = stride}));
    }
    return sequential(blocks);
  }

  ResnetOptions options_;
  ResnetForm form_;
};

}  // namespace

const Schema<ResnetOptions>& ResnetOptions::schema() {
  using O = ResnetOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::depth, "depth",
                 "Layers with weights: 20, 32, 44, 56 or 110 for small images such as CIFAR's; 18, "
                 "34, 50, 101 or 152 for large ones such as ImageNet's.")
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty())
          .field(&O::width, "width",
                 "Channels of the first stage. Left out: 16 for small images, 64 for large ones.",
                 at_least(1))
          .check(
              "depth must be 20, 32, 44, 56 or 110 (small images), or 18, 34, 50, 101 or 152 "
              "(large images).",
              [](const O& options) { return find_resnet(options.depth) != nullptr; });
  return fields;
}

Choice<Layer> resnet(ResnetOptions options) { return choose<Layer>("resnet", options); }

void register_resnet(Registry<Layer>& layers) {
  layers.add<Resnet>("resnet", "A residual network, for small images or for large ones.");
}

}  // namespace hearth::layers
