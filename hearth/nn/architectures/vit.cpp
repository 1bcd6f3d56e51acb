// A vision transformer; children are named as in torchvision.
#include "hearth/nn/architectures/vit.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/vit_encoder.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

constexpr int64_t kVitHiddenFactor = 4;

struct VitForm {
  std::string name;
  int64_t patch_size = 0;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t width = 0;
};

const std::vector<VitForm>& vit_forms() {
  static const std::vector<VitForm> forms = {{"b_16", 16, 12, 12, 768},  {"b_32", 32, 12, 12, 768},
                                             {"l_16", 16, 24, 16, 1024}, {"l_32", 32, 24, 16, 1024},
                                             {"h_14", 14, 32, 16, 1280}, {"tiny", 16, 12, 3, 192}};
  return forms;
}

VitForm vit_form(const VitOptions& options) {
  VitForm form = find_variant(vit_forms(), options.variant);
  form.patch_size = options.patch_size.value_or(form.patch_size);
  form.layers = options.layers.value_or(form.layers);
  form.heads = options.heads.value_or(form.heads);
  form.width = options.width.value_or(form.width);
  return form;
}

class Vit : public Layer {
 public:
  using Options = VitOptions;
  explicit Vit(VitOptions options) : options_(std::move(options)), form_(vit_form(options_)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "vit", input, options_);
    require_patches(input, context);
    add_layers(input, classes, context);
    if (context.is_first()) draw_first_values(input, context);
    Spec output = heads_->output_spec();
    output.classes = classes;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor patches = (*conv_proj_)(input).flatten(2).transpose(1, 2);
    const at::Tensor whole = class_token_.expand({input.size(0), 1, form_.width});
    const at::Tensor seen = (*encoder_)(at::cat({whole, patches}, 1));
    return (*heads_)(seen.select(1, 0));
  }

 private:
  void require_patches(const Spec& input, const BuildContext& context) const {
    const int64_t patch = form_.patch_size;
    if (input.shape[1] % patch == 0 && input.shape[2] % patch == 0) return;
    throw_input_error(context, "vit",
                      "sides that are multiples of the patches' " + std::to_string(patch), input,
                      "Change patch_size, or resize the images.");
  }

  void add_layers(const Spec& input, int64_t classes, const BuildContext& context) {
    const int64_t width = form_.width;
    class_token_ = add_parameter("class_token", filled(context, "class_token", {1, 1, width}, 0));
    conv_proj_ = add_child(
        "conv_proj",
        conv2d(
            {.out_channels = width, .kernel_size = form_.patch_size, .stride = form_.patch_size}),
        input, context);
    const Spec& patches = conv_proj_->output_spec();
    Spec sequence;
    sequence.shape = {patches.shape[1] * patches.shape[2] + 1, width};
    encoder_ = add_child("encoder",
                         vit_encoder({.layers = form_.layers,
                                      .heads = form_.heads,
                                      .hidden = options_.hidden.value_or(kVitHiddenFactor * width),
                                      .dropout = options_.dropout,
                                      .attention_dropout = options_.attention_dropout,
                                      .only_first = true}),
                         sequence, context);
    Spec features;
    features.shape = {width};
    heads_ = add_child("heads", sequential({{named(linear({.out_features = classes}), "head")}}),
                       features, context);
  }

  // As torchvision's: patches keep their spread, and the scores begin as zeros.
  void draw_first_values(const Spec& input, const BuildContext& context) const {
    const int64_t patch = form_.patch_size * form_.patch_size * input.shape[0];
    draw_products(*conv_proj_, context, normal_weights(std::sqrt(1 / static_cast<double>(patch))));
    draw_products(*heads_, context,
                  [](const BuildContext&, const std::string&, at::IntArrayRef shape) {
                    return at::zeros(shape);
                  });
  }

  VitOptions options_;
  VitForm form_;
  at::Tensor class_token_;
  Layer* conv_proj_ = nullptr;
  Layer* encoder_ = nullptr;
  Layer* heads_ = nullptr;
};

}  // namespace

const Schema<VitOptions>& VitOptions::schema() {
  using O = VitOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant",
                 "A size and the side of its patches; `tiny` is 192 wide, with 3 heads.",
                 one_of(variant_names(vit_forms())))
          .field(&O::patch_size, "patch_size", "Side of a patch; the variant's when left out.",
                 at_least(1))
          .field(&O::layers, "layers", "Blocks one after another; the variant's when left out.",
                 layer_count())
          .field(&O::heads, "heads",
                 "Heads of the attention, which share the width evenly; the variant's when left "
                 "out.",
                 at_least(1))
          .field(&O::width, "width", "Values that stand for a patch; the variant's when left out.",
                 at_least(1))
          .field(&O::hidden, "hidden",
                 "Values of the hidden layer in a block's small network; four times the width when "
                 "left out.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::attention_dropout, "attention_dropout",
                 "Share of attention weights dropped while training.", at_least(0), below(1));
  return fields;
}

Choice<Layer> vit(VitOptions options) { return choose<Layer>("vit", options); }

void register_vit(Registry<Layer>& layers) {
  layers.add<Vit>("vit",
                  "A vision transformer: scores from the patches of an image [C, H, W], of one "
                  "size, as a sequence.");
}

}  // namespace hearth::layers
