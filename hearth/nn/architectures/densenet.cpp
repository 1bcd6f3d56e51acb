// Networks whose layers see all that came before them; children are named as in torchvision.
#include "hearth/nn/architectures/densenet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/dense_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/dense.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"

namespace hearth::layers {
namespace {

struct DensenetForm {
  int64_t depth;
  int64_t growth_rate;
  std::vector<int64_t> block_config;  // layers of each dense block
  int64_t num_init_features;
};

const DensenetForm* find_densenet(int64_t depth) {
  static const std::vector<DensenetForm> forms = {{121, 32, {6, 12, 24, 16}, 64},
                                                  {161, 48, {6, 12, 36, 24}, 96},
                                                  {169, 32, {6, 12, 32, 32}, 64},
                                                  {201, 32, {6, 12, 48, 32}, 64}};
  const auto found = std::ranges::find(forms, depth, &DensenetForm::depth);
  return found == forms.end() ? nullptr : &*found;
}

class Densenet : public Layer {
 public:
  using Options = DensenetOptions;
  explicit Densenet(DensenetOptions options)
      : options_(std::move(options)), form_(*find_densenet(options_.depth)) {
    form_.growth_rate = options_.growth_rate.value_or(form_.growth_rate);
    form_.block_config = options_.block_config.value_or(form_.block_config);
    form_.num_init_features = options_.num_init_features.value_or(form_.num_init_features);
  }

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "densenet", inputs.front(), options_);
    const auto scores =
        starting_with(linear({.out_features = classes}), {{"bias", initializers::zeros()}});
    return chain({{"features", features()},
                  {"relu", relu()},
                  {"avgpool", global_average_pool()},
                  {"classifier", scores}},
                 classes);
  }

 private:
  [[nodiscard]] Choice<Layer> features() const {
    int64_t channels = form_.num_init_features;
    SequentialOptions all{
        {named(dense_convolution(channels, 7, 2), "conv0"), named(batch_norm2d(), "norm0"),
         named(relu(), "relu0"),
         named(max_pool2d({.kernel_size = 3, .stride = 2, .padding = 1}), "pool0")}};
    const size_t blocks = form_.block_config.size();
    for (size_t i = 0; i < blocks; ++i) {
      const std::string number = std::to_string(i + 1);
      all.layers.push_back(named(block(form_.block_config[i]), "denseblock" + number));
      channels += form_.block_config[i] * form_.growth_rate;
      if (i + 1 == blocks) break;
      channels /= 2;
      all.layers.push_back(named(transition(channels), "transition" + number));
    }
    all.layers.push_back(named(batch_norm2d(), "norm5"));
    return sequential(all);
  }

  [[nodiscard]] Choice<Layer> block(int64_t layers) const {
    return dense_block({.layers = layers,
                        .growth_rate = form_.growth_rate,
                        .bn_size = options_.bn_size,
                        .drop_rate = options_.drop_rate});
  }

  [[nodiscard]] static Choice<Layer> transition(int64_t channels) {
    return sequential(
        {{named(batch_norm2d(), "norm"), named(relu(), "relu"),
          named(dense_convolution(channels, 1), "conv"), named(average_pool2d(), "pool")}});
  }

  DensenetOptions options_;
  DensenetForm form_;
};

}  // namespace

const Schema<DensenetOptions>& DensenetOptions::schema() {
  using O = DensenetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::depth, "depth", "Layers with weights: 121, 161, 169 or 201.")
          .field(&O::growth_rate, "growth_rate",
                 "Channels that each layer adds; by the depth, 32 or 48, when left out.",
                 at_least(1))
          .field(&O::block_config, "block_config",
                 "Layers of each dense block; by the depth when left out.", not_empty(),
                 layer_count())
          .field(&O::num_init_features, "num_init_features",
                 "Channels of the first convolution; by the depth, 64 or 96, when left out.",
                 at_least(2))
          .field(&O::bn_size, "bn_size",
                 "How many times as many channels the 1x1 convolution in each layer gives.",
                 at_least(1))
          .field(&O::drop_rate, "drop_rate",
                 "Share of the values of each layer that become zero while training.", at_least(0),
                 below(1))
          .check("depth must be 121, 161, 169 or 201.",
                 [](const O& options) { return find_densenet(options.depth) != nullptr; });
  return fields;
}

Choice<Layer> densenet(DensenetOptions options) { return choose<Layer>("densenet", options); }

void register_densenet(Registry<Layer>& layers) {
  layers.add<Densenet>(
      "densenet",
      "Dense blocks, whose layers see all that came before them, for images of 29 "
      "points a side or more. torchvision's own files of weights, which have older names, load "
      "as they are.");
}

}  // namespace hearth::layers
