// Small networks of inverted residual blocks that weigh their channels; children are named as in
// torchvision.
#include "hearth/nn/architectures/mobilenet_v3.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/blocks/inverted_residual.h"
#include "hearth/nn/blocks/squeeze_excite.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/hardsigmoid.h"
#include "hearth/nn/layers/activation/hardswish.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

struct MobilenetV3Block {
  int64_t kernel_size;
  int64_t expanded;
  int64_t out;
  bool is_squeezed;
  bool is_swish;
  int64_t stride = 1;
};

struct MobilenetV3Form {
  std::string name;
  std::vector<MobilenetV3Block> blocks;  // the last three are the tail
  int64_t hidden;                        // of the classifier
};

const std::vector<MobilenetV3Form>& mobilenet_v3_forms() {
  static const std::vector<MobilenetV3Form> forms = {{"large",
                                                      {{3, 16, 16, false, false},
                                                       {3, 64, 24, false, false, 2},
                                                       {3, 72, 24, false, false},
                                                       {5, 72, 40, true, false, 2},
                                                       {5, 120, 40, true, false},
                                                       {5, 120, 40, true, false},
                                                       {3, 240, 80, false, true, 2},
                                                       {3, 200, 80, false, true},
                                                       {3, 184, 80, false, true},
                                                       {3, 184, 80, false, true},
                                                       {3, 480, 112, true, true},
                                                       {3, 672, 112, true, true},
                                                       {5, 672, 160, true, true, 2},
                                                       {5, 960, 160, true, true},
                                                       {5, 960, 160, true, true}},
                                                      1280},
                                                     {"small",
                                                      {{3, 16, 16, true, false, 2},
                                                       {3, 72, 24, false, false, 2},
                                                       {3, 88, 24, false, false},
                                                       {5, 96, 40, true, true, 2},
                                                       {5, 240, 40, true, true},
                                                       {5, 240, 40, true, true},
                                                       {5, 120, 48, true, true},
                                                       {5, 144, 48, true, true},
                                                       {5, 288, 96, true, true, 2},
                                                       {5, 576, 96, true, true},
                                                       {5, 576, 96, true, true}},
                                                      1024}};
  return forms;
}

// The layers of one network: a variant, made wider or narrower.
class MobilenetV3Parts {
 public:
  explicit MobilenetV3Parts(const MobilenetV3Options& options)
      : options_(options), form_(find_variant(mobilenet_v3_forms(), options.variant)) {}

  [[nodiscard]] NamedLayers features() const {
    std::vector<Choice<Layer>> all = {conv_norm_activation(
        {.out_channels = wide(16), .stride = 2, .norm = norm(), .activation = hardswish()})};
    for (size_t i = 0; i < form_.blocks.size(); ++i) all.push_back(block(i));
    all.push_back(conv_norm_activation({.out_channels = last_channels(),
                                        .kernel_size = 1,
                                        .norm = norm(),
                                        .activation = hardswish()}));
    NamedLayers named_layers;
    for (const Choice<Layer>& layer : all)
      named_layers.emplace_back(std::to_string(named_layers.size()), layer);
    return named_layers;
  }

  [[nodiscard]] int64_t hidden() const { return wide(form_.hidden / tail_divisor()); }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return divisible_channels(static_cast<double>(channels) * options_.width_mult);
  }
  [[nodiscard]] int64_t tail_divisor() const { return options_.reduced_tail ? 2 : 1; }
  [[nodiscard]] bool is_in_tail(size_t index) const { return index + 3 >= form_.blocks.size(); }
  [[nodiscard]] static Choice<Layer> norm() {
    return batch_norm2d({.momentum = 0.01, .eps = 0.001});
  }
  [[nodiscard]] int64_t last_channels() const {
    return 6 * wide(form_.blocks.back().out / tail_divisor());
  }

  [[nodiscard]] Choice<Layer> block(size_t index) const {
    const MobilenetV3Block& form = form_.blocks[index];
    const int64_t divisor = is_in_tail(index) ? tail_divisor() : 1;
    // The first block of the tail still sees what was not divided.
    const bool is_first = is_in_tail(index) && !is_in_tail(index - 1);
    const int64_t expanded = wide(form.expanded / (is_first ? 1 : divisor));
    InvertedResidualOptions options;
    options.out_channels = wide(form.out / divisor);
    options.kernel_size = form.kernel_size;
    options.stride = form.stride;
    options.dilation = options_.dilated && is_in_tail(index) ? 2 : 1;
    options.expanded_channels = expanded;
    options.norm = norm();
    options.activation = form.is_swish ? hardswish() : relu();
    options.names = "mobilenet_v3";
    if (form.is_squeezed)
      options.squeeze =
          squeeze_excite({.squeeze_channels = divisible_channels(static_cast<double>(expanded / 4)),
                          .scale_activation = hardsigmoid()});
    return inverted_residual(options);
  }

  const MobilenetV3Options& options_;
  const MobilenetV3Form& form_;
};

class MobilenetV3 : public Layer {
 public:
  using Options = MobilenetV3Options;
  explicit MobilenetV3(MobilenetV3Options options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "mobilenet_v3", inputs.front(), options_);
    const MobilenetV3Parts parts(options_);
    SequentialOptions features;
    for (const auto& [name, layer] : parts.features()) features.layers.push_back(layer);
    const auto scores = sequential({{small_linear(parts.hidden()), hardswish(),
                                     dropout({.p = options_.dropout}), small_linear(classes)}});
    return chain({{"features", sequential(features)},
                  {"avgpool", global_average_pool()},
                  {"classifier", scores}},
                 classes);
  }

 private:
  MobilenetV3Options options_;
};

}  // namespace

const Schema<MobilenetV3Options>& MobilenetV3Options::schema() {
  using O = MobilenetV3Options;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant", "Which of the two networks.",
                 one_of(variant_names(mobilenet_v3_forms())))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor())
          .field(&O::reduced_tail, "reduced_tail",
                 "Halve the channels of the last blocks, as segmentation may.")
          .field(&O::dilated, "dilated",
                 "Let the last blocks spread their windows instead of halving the sides, as "
                 "segmentation does.")
          .field(&O::dropout, "dropout", "Share of values that become zero before the scores.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> mobilenet_v3(MobilenetV3Options options) {
  return choose<Layer>("mobilenet_v3", options);
}

NamedLayers mobilenet_v3_features(const MobilenetV3Options& options) {
  return MobilenetV3Parts(options).features();
}

void register_mobilenet_v3(Registry<Layer>& layers) {
  layers.add<MobilenetV3>("mobilenet_v3",
                          "Inverted residual blocks that weigh their channels: small networks for "
                          "phones.");
}

}  // namespace hearth::layers
