// EfficientNets; children are named as in torchvision.
#include "hearth/nn/architectures/efficientnet.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/fused_mbconv.h"
#include "hearth/nn/blocks/inverted_residual.h"
#include "hearth/nn/blocks/squeeze_excite.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layers/activation/silu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/stages.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

constexpr int64_t kEfficientnetSqueeze =
    4;  // channels that come in, for each that they are squeezed to

struct EfficientnetStage {
  bool is_fused;
  double expand_ratio;
  int64_t kernel_size;
  int64_t stride;
  int64_t channels;
  int64_t blocks;
};

// What variants share before they are made wider and deeper.
struct EfficientnetTable {
  int64_t first_channels;
  std::vector<EfficientnetStage> stages;
  int64_t last_channels;  // 0: four times those of the last stage
};

const EfficientnetTable& table_b() {
  static const EfficientnetTable table = {32,
                                          {{false, 1, 3, 1, 16, 1},
                                           {false, 6, 3, 2, 24, 2},
                                           {false, 6, 5, 2, 40, 2},
                                           {false, 6, 3, 2, 80, 3},
                                           {false, 6, 5, 1, 112, 3},
                                           {false, 6, 5, 2, 192, 4},
                                           {false, 6, 3, 1, 320, 1}},
                                          0};
  return table;
}

const EfficientnetTable& table_v2_s() {
  static const EfficientnetTable table = {24,
                                          {{true, 1, 3, 1, 24, 2},
                                           {true, 4, 3, 2, 48, 4},
                                           {true, 4, 3, 2, 64, 4},
                                           {false, 4, 3, 2, 128, 6},
                                           {false, 6, 3, 1, 160, 9},
                                           {false, 6, 3, 2, 256, 15}},
                                          1280};
  return table;
}

const EfficientnetTable& table_v2_m() {
  static const EfficientnetTable table = {24,
                                          {{true, 1, 3, 1, 24, 3},
                                           {true, 4, 3, 2, 48, 5},
                                           {true, 4, 3, 2, 80, 5},
                                           {false, 4, 3, 2, 160, 7},
                                           {false, 6, 3, 1, 176, 14},
                                           {false, 6, 3, 2, 304, 18},
                                           {false, 6, 3, 1, 512, 5}},
                                          1280};
  return table;
}

const EfficientnetTable& table_v2_l() {
  static const EfficientnetTable table = {32,
                                          {{true, 1, 3, 1, 32, 4},
                                           {true, 4, 3, 2, 64, 7},
                                           {true, 4, 3, 2, 96, 7},
                                           {false, 4, 3, 2, 192, 10},
                                           {false, 6, 3, 1, 224, 19},
                                           {false, 6, 3, 2, 384, 25},
                                           {false, 6, 3, 1, 640, 7}},
                                          1280};
  return table;
}

struct EfficientnetForm {
  std::string name;
  const EfficientnetTable& table;
  double width;
  double depth;
  double dropout;
  BatchNorm2dOptions norm = {};
};

const std::vector<EfficientnetForm>& efficientnet_forms() {
  static const BatchNorm2dOptions slow = {.momentum = 0.01, .eps = 1e-3};
  static const BatchNorm2dOptions second = {.eps = 1e-3};
  static const std::vector<EfficientnetForm> forms = {{"b0", table_b(), 1, 1, 0.2},
                                                      {"b1", table_b(), 1, 1.1, 0.2},
                                                      {"b2", table_b(), 1.1, 1.2, 0.3},
                                                      {"b3", table_b(), 1.2, 1.4, 0.3},
                                                      {"b4", table_b(), 1.4, 1.8, 0.4},
                                                      {"b5", table_b(), 1.6, 2.2, 0.4, slow},
                                                      {"b6", table_b(), 1.8, 2.6, 0.5, slow},
                                                      {"b7", table_b(), 2, 3.1, 0.5, slow},
                                                      {"v2_s", table_v2_s(), 1, 1, 0.2, second},
                                                      {"v2_m", table_v2_m(), 1, 1, 0.3, second},
                                                      {"v2_l", table_v2_l(), 1, 1, 0.4, second}};
  return forms;
}

class Efficientnet : public Layer {
 public:
  using Options = EfficientnetOptions;
  explicit Efficientnet(EfficientnetOptions options)
      : options_(std::move(options)), form_(find_variant(efficientnet_forms(), options_.variant)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    if (context.is_first()) {
      draw_products(*this, context, fan_out_weights(), {"conv2d"});
      draw_products(*this, context, scores_weights(), {"linear"});
    }
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "efficientnet", inputs.front(), options_);
    std::vector<Choice<Layer>> head;
    const double share = options_.dropout.value_or(form_.dropout);
    if (share > 0) head.push_back(named(dropout({share}), "0"));
    head.push_back(named(linear({.out_features = classes}), "1"));
    return chain({{"features", features()},
                  {"avgpool", global_average_pool()},
                  {"classifier", sequential({head})}},
                 classes);
  }

 private:
  static DrawWeight scores_weights() {
    return [](const BuildContext& context, const std::string& name, at::IntArrayRef shape) {
      return uniform(context, name, shape, 1 / std::sqrt(static_cast<double>(shape[0])));
    };
  }

  [[nodiscard]] int64_t channels(int64_t of_table) const {
    return divisible_channels(static_cast<double>(of_table) * options_.width.value_or(form_.width));
  }

  [[nodiscard]] std::vector<int64_t> depths() const {
    const double factor = options_.depth.value_or(form_.depth);
    std::vector<int64_t> blocks;
    for (const EfficientnetStage& stage : form_.table.stages)
      blocks.push_back(static_cast<int64_t>(std::ceil(static_cast<double>(stage.blocks) * factor)));
    return blocks;
  }

  [[nodiscard]] Choice<Layer> convolution(ConvNormActivationOptions form) const {
    form.norm = batch_norm2d(form_.norm);
    form.activation = silu();
    return conv_norm_activation(form);
  }

  // A block of the stage, after one that gives so many channels.
  [[nodiscard]] Choice<Layer> block(const EfficientnetStage& stage, int64_t stride, int64_t before,
                                    double drop_path) const {
    if (stage.is_fused)
      return fused_mbconv({.out_channels = channels(stage.channels),
                           .kernel_size = stage.kernel_size,
                           .stride = stride,
                           .expand_ratio = stage.expand_ratio,
                           .norm = batch_norm2d(form_.norm),
                           .drop_path = drop_path});
    const double wide = static_cast<double>(before) * stage.expand_ratio;
    const int64_t squeezed = std::max<int64_t>(1, before / kEfficientnetSqueeze);
    return inverted_residual(
        {.out_channels = channels(stage.channels),
         .kernel_size = stage.kernel_size,
         .stride = stride,
         .expanded_channels = divisible_channels(wide),
         .squeeze = squeeze_excite({.squeeze_channels = squeezed, .activation = silu()}),
         .norm = batch_norm2d(form_.norm),
         .activation = silu(),
         .drop_path = drop_path,
         .names = "mobilenet_v3"});
  }

  [[nodiscard]] Choice<Layer> features() const {
    const EfficientnetTable& table = form_.table;
    SequentialOptions all;
    all.layers = {convolution({.out_channels = channels(table.first_channels), .stride = 2})};
    Stages stages(depths(), options_.drop_path, Stages::kStaysBelow);
    int64_t before = channels(table.first_channels);
    for (const EfficientnetStage& stage : table.stages)
      all.layers.push_back(stages.next([&](int64_t place, double drop_path) {
        const Choice<Layer> made = block(stage, place == 0 ? stage.stride : 1, before, drop_path);
        before = channels(stage.channels);
        return made;
      }));
    const int64_t last =
        table.last_channels > 0 ? table.last_channels : 4 * channels(table.stages.back().channels);
    all.layers.push_back(convolution({.out_channels = last, .kernel_size = 1}));
    return sequential(all);
  }

  EfficientnetOptions options_;
  const EfficientnetForm& form_;
};

}  // namespace

const Schema<EfficientnetOptions>& EfficientnetOptions::schema() {
  using O = EfficientnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant", "One of the published sizes, of the first or second kind.",
                 one_of(variant_names(efficientnet_forms())))
          .field(&O::width, "width",
                 "Factor of the channels of all blocks; the variant's when left out.",
                 size_factor())
          .field(&O::depth, "depth",
                 "Factor of the blocks in a stage; the variant's when left out.", above(0),
                 at_most(100))
          .field(&O::dropout, "dropout",
                 "Share of the last features dropped while training; the variant's when left out.",
                 at_least(0), below(1))
          .field(&O::drop_path, "drop_path",
                 "Share of samples whose change a block drops while training, growing with the "
                 "depth from 0 to almost this.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> efficientnet(EfficientnetOptions options) {
  return choose<Layer>("efficientnet", options);
}

void register_efficientnet(Registry<Layer>& layers) {
  layers.add<Efficientnet>("efficientnet",
                           "EfficientNet b0 to b7 and its second version: blocks that are wide in "
                           "the middle, made wider and deeper by one rule.");
}

}  // namespace hearth::layers
