// ConvNeXt; children are named as in torchvision.
#include "hearth/nn/architectures/convnext.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/convnext_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/channel_norm.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/stages.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

constexpr double kConvnextEps = 1e-6;
constexpr double kConvnextDeviation = 0.02;

struct ConvnextForm {
  std::string name;
  std::vector<int64_t> widths = {};
  std::vector<int64_t> depths = {};
  double drop_path = 0;
};

const std::vector<ConvnextForm>& convnext_forms() {
  static const std::vector<ConvnextForm> forms = {
      {"tiny", {96, 192, 384, 768}, {3, 3, 9, 3}, 0.1},
      {"small", {96, 192, 384, 768}, {3, 3, 27, 3}, 0.4},
      {"base", {128, 256, 512, 1024}, {3, 3, 27, 3}, 0.5},
      {"large", {192, 384, 768, 1536}, {3, 3, 27, 3}, 0.5}};
  return forms;
}

ConvnextForm convnext_form(const ConvnextOptions& options) {
  ConvnextForm form = find_variant(convnext_forms(), options.variant);
  form.widths = options.widths.value_or(form.widths);
  form.depths = options.depths.value_or(form.depths);
  form.drop_path = options.drop_path.value_or(form.drop_path);
  return form;
}

Choice<Layer> convnext_patches(int64_t width, int64_t side) {
  return conv2d({.out_channels = width, .kernel_size = side, .stride = side});
}

class Convnext : public Layer {
 public:
  using Options = ConvnextOptions;
  explicit Convnext(ConvnextOptions options)
      : options_(std::move(options)), form_(convnext_form(options_)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    if (context.is_first()) draw_products(*this, context, normal_weights(kConvnextDeviation));
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "convnext", inputs.front(), options_);
    const auto head = sequential({{named(layer_norm({.eps = kConvnextEps}), "0"),
                                   named(linear({.out_features = classes}), "2")}});
    return chain(
        {{"features", features()}, {"avgpool", global_average_pool()}, {"classifier", head}},
        classes);
  }

 private:
  [[nodiscard]] Choice<Layer> features() const {
    const auto norm = channel_norm({.eps = kConvnextEps});
    SequentialOptions all;
    all.layers = {sequential({{convnext_patches(form_.widths[0], options_.patch_size), norm}})};
    Stages stages(form_.depths, form_.drop_path, Stages::kReachesMost);
    for (size_t i = 0; i < form_.widths.size(); ++i) {
      if (i > 0) all.layers.push_back(sequential({{norm, convnext_patches(form_.widths[i], 2)}}));
      all.layers.push_back(stages.next([&](int64_t, double drop_path) {
        return convnext_block({.layer_scale = options_.layer_scale, .drop_path = drop_path});
      }));
    }
    return sequential(all);
  }

  ConvnextOptions options_;
  ConvnextForm form_;
};

}  // namespace

const Schema<ConvnextOptions>& ConvnextOptions::schema() {
  using O = ConvnextOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant", "One of the published sizes.",
                 one_of(variant_names(convnext_forms())))
          .field(&O::widths, "widths", "Channels of each stage; the variant's when left out.",
                 not_empty(), at_least(1))
          .field(&O::depths, "depths", "Blocks of each stage; the variant's when left out.",
                 not_empty(), layer_count())
          .field(&O::drop_path, "drop_path",
                 "Share of samples whose change the last block drops while training, growing from "
                 "0 at the first; the variant's when left out.",
                 at_least(0), below(1))
          .field(&O::layer_scale, "layer_scale",
                 "First value of the learned factors of what a block adds.")
          .field(&O::patch_size, "patch_size",
                 "Side of the patches the image is first cut into; less for small images.",
                 at_least(1))
          .check("widths and depths must be as many.", [](const O& options) {
            const ConvnextForm form = convnext_form(options);
            return form.widths.size() == form.depths.size();
          });
  return fields;
}

Choice<Layer> convnext(ConvnextOptions options) { return choose<Layer>("convnext", options); }

void register_convnext(Registry<Layer>& layers) {
  layers.add<Convnext>("convnext",
                       "ConvNeXt: patches of an image, then stages of wide depthwise convolutions "
                       "with a small network for each point.");
}

}  // namespace hearth::layers
