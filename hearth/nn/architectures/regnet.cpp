// RegNets; children are named as in torchvision.
#include "hearth/nn/architectures/regnet.h"

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/squeeze_excite.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

constexpr int64_t kRegnetStem = 32;
constexpr double kRegnetDeviation = 0.01;
constexpr int64_t kRegnetSqueeze = 4;  // channels that come in, for each that they are squeezed to

struct RegnetForm {
  std::string name;
  int64_t depth;
  int64_t first_width;
  float slope;
  float step;
  int64_t group_width;
};

const std::vector<RegnetForm>& regnet_forms() {
  static const std::vector<RegnetForm> forms = {
      {"y_400mf", 16, 48, 27.89F, 2.09F, 8},    {"y_800mf", 14, 56, 38.84F, 2.4F, 16},
      {"y_1_6gf", 27, 48, 20.71F, 2.65F, 24},   {"y_3_2gf", 21, 80, 42.63F, 2.66F, 24},
      {"y_8gf", 17, 192, 76.82F, 2.19F, 56},    {"y_16gf", 18, 200, 106.23F, 2.48F, 112},
      {"y_32gf", 20, 232, 115.89F, 2.53F, 232}, {"y_128gf", 27, 456, 160.83F, 2.52F, 264},
      {"x_400mf", 22, 24, 24.48F, 2.54F, 16},   {"x_800mf", 16, 56, 35.73F, 2.28F, 16},
      {"x_1_6gf", 18, 80, 34.01F, 2.25F, 24},   {"x_3_2gf", 25, 88, 26.31F, 2.25F, 48},
      {"x_8gf", 23, 80, 49.56F, 2.88F, 120},    {"x_16gf", 22, 216, 55.59F, 2.1F, 128},
      {"x_32gf", 23, 320, 69.86F, 2.0F, 168}};
  return forms;
}

struct RegnetStage {
  int64_t width;
  int64_t depth;
  int64_t group_width;
};

// Widths along a line, each brought to the nearest power of the step, then to a multiple of eight;
// blocks of one width make a stage.
std::vector<RegnetStage> published_stages(const RegnetForm& form) {
  std::vector<RegnetStage> stages;
  const auto first = static_cast<float>(form.first_width);
  for (int64_t i = 0; i < form.depth; ++i) {
    const float line = static_cast<float>(i) * form.slope + first;
    const float power = std::nearbyint(std::log(line / first) / std::log(form.step));
    const float eighths = std::nearbyint(first * std::pow(form.step, power) / 8);
    const int64_t width = 8 * static_cast<int64_t>(eighths);
    if (stages.empty() || stages.back().width != width)
      stages.push_back({width, 0, form.group_width});
    ++stages.back().depth;
  }
  return stages;
}

// Groups no wider than their stage, and stages of whole groups.
std::vector<RegnetStage> regnet_stages(const RegnetOptions& options) {
  const RegnetForm& form = find_variant(regnet_forms(), options.variant);
  std::vector<RegnetStage> stages = published_stages(form);
  if (options.widths) stages.resize(options.widths->size());
  for (size_t i = 0; i < stages.size(); ++i) {
    RegnetStage& stage = stages[i];
    if (options.widths) stage.width = (*options.widths)[i];
    if (options.depths) stage.depth = (*options.depths)[i];
    stage.group_width = std::min(options.group_width.value_or(form.group_width), stage.width);
    stage.width = divisible_channels(static_cast<double>(stage.width), stage.group_width);
  }
  return stages;
}

class Regnet : public Layer {
 public:
  using Options = RegnetOptions;
  explicit Regnet(RegnetOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    if (context.is_first()) {
      draw_products(*this, context, fan_out_weights(), {"conv2d"});
      draw_products(*this, context, normal_weights(kRegnetDeviation), {"linear"});
    }
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "regnet", inputs.front(), options_);
    return chain({{"stem", conv_norm_activation({.out_channels = kRegnetStem, .stride = 2})},
                  {"trunk_output", trunk()},
                  {"avgpool", global_average_pool()},
                  {"fc", linear({.out_features = classes})}},
                 classes);
  }

 private:
  [[nodiscard]] Choice<Layer> trunk() const {
    const std::vector<RegnetStage> stages = regnet_stages(options_);
    SequentialOptions all;
    int64_t channels = kRegnetStem;
    for (size_t i = 0; i < stages.size(); ++i) {
      const std::string name = "block" + std::to_string(i + 1);
      SequentialOptions blocks;
      for (int64_t k = 0; k < stages[i].depth; ++k) {
        blocks.layers.push_back(
            named(block(channels, stages[i], k == 0 ? 2 : 1), name + "-" + std::to_string(k)));
        channels = stages[i].width;
      }
      all.layers.push_back(named(sequential(blocks), name));
    }
    return sequential(all);
  }

  // relu(x + f(x)), x through a 1x1 convolution when its shape differs.
  [[nodiscard]] Choice<Layer> block(int64_t channels, const RegnetStage& stage,
                                    int64_t stride) const {
    const bool has_way_around = stride != 1 || channels != stage.width;
    GraphOptions nodes;
    if (has_way_around)
      nodes.nodes.push_back(wired(conv_norm_activation({.out_channels = stage.width,
                                                        .kernel_size = 1,
                                                        .stride = stride,
                                                        .activation = std::nullopt}),
                                  {"input"}, {}, "proj"));
    nodes.nodes.push_back(wired(branch(channels, stage, stride), {"input"}, {}, "f"));
    nodes.nodes.push_back(wired(add(), {"f", has_way_around ? "proj" : "input"}, {}, "add"));
    nodes.nodes.push_back(named(relu(), "activation"));
    return graph(nodes);
  }

  [[nodiscard]] Choice<Layer> branch(int64_t channels, const RegnetStage& stage,
                                     int64_t stride) const {
    SequentialOptions all;
    all.layers = {named(conv_norm_activation({.out_channels = stage.width, .kernel_size = 1}), "a"),
                  named(conv_norm_activation({.out_channels = stage.width,
                                              .stride = stride,
                                              .groups = stage.width / stage.group_width}),
                        "b")};
    if (options_.variant.starts_with("y"))
      all.layers.push_back(named(
          squeeze_excite({.squeeze_channels = std::max<int64_t>(1, channels / kRegnetSqueeze)}),
          "se"));
    all.layers.push_back(
        named(conv_norm_activation(
                  {.out_channels = stage.width, .kernel_size = 1, .activation = std::nullopt}),
              "c"));
    return sequential(all);
  }

  RegnetOptions options_;
};

}  // namespace

const Schema<RegnetOptions>& RegnetOptions::schema() {
  using O = RegnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant",
                 "A published size by its multiply-adds; those with `y` weigh their channels.",
                 one_of(variant_names(regnet_forms())))
          .field(&O::widths, "widths", "Channels of each stage; the variant's when left out.",
                 not_empty(), at_least(1))
          .field(&O::depths, "depths", "Blocks of each stage; the variant's when left out.",
                 not_empty(), layer_count())
          .field(&O::group_width, "group_width",
                 "Channels that a 3x3 convolution mixes; the variant's when left out.", at_least(1))
          .check("widths and depths go together, as many of one as of the other.",
                 [](const O& options) {
                   if (options.widths.has_value() != options.depths.has_value()) return false;
                   return !options.widths || options.widths->size() == options.depths->size();
                 });
  return fields;
}

Choice<Layer> regnet(RegnetOptions options) { return choose<Layer>("regnet", options); }

void register_regnet(Registry<Layer>& layers) {
  layers.add<Regnet>("regnet",
                     "RegNet: a residual network of grouped convolutions whose widths grow by a "
                     "line.");
}

}  // namespace hearth::layers
