// MLP-Mixer; children are named as in timm.
#include "hearth/nn/architectures/mlp_mixer.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/mixer_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/pooling/mean_pool.h"
#include "hearth/nn/layers/shape/image_to_sequence.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

struct MixerForm {
  std::string name;
  int64_t patch_size;
  int64_t layers;
  int64_t width;
};

const std::vector<MixerForm>& mixer_forms() {
  static const std::vector<MixerForm> forms = {
      {"s_32", 32, 8, 512},   {"s_16", 16, 8, 512},   {"b_32", 32, 12, 768}, {"b_16", 16, 12, 768},
      {"l_32", 32, 24, 1024}, {"l_16", 16, 24, 1024}, {"h_14", 14, 32, 1280}};
  return forms;
}

class MlpMixer : public Layer {
 public:
  using Options = MlpMixerOptions;
  explicit MlpMixer(MlpMixerOptions options)
      : options_(std::move(options)), form_(find_variant(mixer_forms(), options_.variant)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "mlp_mixer", inputs.front(), options_);
    const int64_t patch = options_.patch_size.value_or(form_.patch_size);
    const int64_t width = options_.width.value_or(form_.width);
    const auto proj = conv2d({.out_channels = width, .kernel_size = patch, .stride = patch});
    const auto block = mixer_block(
        {.token_hidden = options_.token_hidden.value_or(std::max<int64_t>(1, width / 2)),
         .channel_hidden = options_.channel_hidden.value_or(4 * width),
         .dropout = options_.dropout});
    const auto count = static_cast<size_t>(options_.layers.value_or(form_.layers));
    return chain({{"stem", sequential({{named(proj, "proj"), image_to_sequence()}})},
                  {"blocks", sequential({std::vector<Choice<Layer>>(count, block)})},
                  {"norm", layer_norm({.eps = 1e-6})},
                  {"pool", mean_pool()},
                  {"head", linear({.out_features = classes})}},
                 classes);
  }

 private:
  MlpMixerOptions options_;
  const MixerForm& form_;
};

}  // namespace

const Schema<MlpMixerOptions>& MlpMixerOptions::schema() {
  using O = MlpMixerOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant", "A published size and the side of its patches.",
                 one_of(variant_names(mixer_forms())))
          .field(&O::patch_size, "patch_size", "Side of a patch; the variant's when left out.",
                 at_least(1))
          .field(&O::layers, "layers", "Blocks one after another; the variant's when left out.",
                 layer_count())
          .field(&O::width, "width", "Values that stand for a patch; the variant's when left out.",
                 at_least(1))
          .field(&O::token_hidden, "token_hidden",
                 "Hidden values of the networks over the patches; half the width when left out.",
                 at_least(1))
          .field(&O::channel_hidden, "channel_hidden",
                 "Hidden values of the networks over the channels; four times the width when left "
                 "out.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> mlp_mixer(MlpMixerOptions options) { return choose<Layer>("mlp_mixer", options); }

void register_mlp_mixer(Registry<Layer>& layers) {
  layers.add<MlpMixer>("mlp_mixer",
                       "MLP-Mixer: the patches of an image [C, H, W], of one size, mixed by small "
                       "networks over places and over channels.");
}

}  // namespace hearth::layers
