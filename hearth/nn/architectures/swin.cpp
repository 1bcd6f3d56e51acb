// A Swin transformer; children are named as in torchvision.
#include "hearth/nn/architectures/swin.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/patch_merging.h"
#include "hearth/nn/blocks/swin_block.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/channel_norm.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/product_init.h"
#include "hearth/nn/stages.h"
#include "hearth/nn/variants.h"

namespace hearth::layers {
namespace {

constexpr double kSwinDeviation = 0.02;

struct SwinForm {
  std::string name;
  int64_t version = 1;
  int64_t width = 0;
  std::vector<int64_t> depths = {};
  std::vector<int64_t> heads = {};
  int64_t window = 0;
  double drop_path = 0;
};

const std::vector<SwinForm>& swin_forms() {
  static const std::vector<SwinForm> forms = {
      {"t", 1, 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 7, 0.2},
      {"s", 1, 96, {2, 2, 18, 2}, {3, 6, 12, 24}, 7, 0.3},
      {"b", 1, 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 7, 0.5},
      {"v2_t", 2, 96, {2, 2, 6, 2}, {3, 6, 12, 24}, 8, 0.2},
      {"v2_s", 2, 96, {2, 2, 18, 2}, {3, 6, 12, 24}, 8, 0.3},
      {"v2_b", 2, 128, {2, 2, 18, 2}, {4, 8, 16, 32}, 8, 0.5}};
  return forms;
}

SwinForm swin_form(const SwinOptions& options) {
  SwinForm form = find_variant(swin_forms(), options.variant);
  form.width = options.width.value_or(form.width);
  form.depths = options.depths.value_or(form.depths);
  form.heads = options.heads.value_or(form.heads);
  form.window = options.window.value_or(form.window);
  form.drop_path = options.drop_path.value_or(form.drop_path);
  return form;
}

class Swin : public Layer {
 public:
  using Options = SwinOptions;
  explicit Swin(SwinOptions options) : options_(std::move(options)), form_(swin_form(options_)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    std::vector<Spec> outputs = Layer::prepare(inputs, context);
    if (context.is_first())
      draw_products(*this, context, normal_weights(kSwinDeviation), {"linear"});
    return outputs;
  }

  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "swin", inputs.front(), options_);
    return chain({{"features", features()},
                  {"norm", channel_norm()},
                  {"avgpool", global_average_pool()},
                  {"head", linear({.out_features = classes})}},
                 classes);
  }

 private:
  [[nodiscard]] Choice<Layer> features() const {
    const auto patches = conv2d({.out_channels = form_.width,
                                 .kernel_size = options_.patch_size,
                                 .stride = options_.patch_size});
    SequentialOptions all;
    all.layers = {sequential({{named(patches, "0"), named(channel_norm(), "2")}})};
    Stages stages(form_.depths, form_.drop_path, Stages::kReachesMost);
    for (size_t i = 0; i < form_.depths.size(); ++i) {
      if (i > 0) all.layers.push_back(patch_merging({.norm_last = form_.version == 2}));
      all.layers.push_back(stages.next([&](int64_t place, double drop_path) {
        return swin_block({.heads = form_.heads[i],
                           .window = form_.window,
                           .shift = place % 2 == 0 ? 0 : form_.window / 2,
                           .dropout = options_.dropout,
                           .drop_path = drop_path,
                           .version = form_.version});
      }));
    }
    return sequential(all);
  }

  SwinOptions options_;
  SwinForm form_;
};

}  // namespace

const Schema<SwinOptions>& SwinOptions::schema() {
  using O = SwinOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::variant, "variant", "One of the published sizes, of the first or second kind.",
                 one_of(variant_names(swin_forms())))
          .field(&O::patch_size, "patch_size",
                 "Side of the patches the image is first cut into; less for small images.",
                 at_least(1))
          .field(&O::width, "width",
                 "Channels of the first stage, doubled by each one after it; the variant's when "
                 "left out.",
                 at_least(1))
          .field(&O::depths, "depths", "Blocks of each stage; the variant's when left out.",
                 not_empty(), layer_count())
          .field(&O::heads, "heads",
                 "Heads of the attention in each stage, which share its channels evenly; the "
                 "variant's when left out.",
                 not_empty(), at_least(1))
          .field(&O::window, "window",
                 "Side of a window of the attention; the variant's when left out.", at_least(2))
          .field(&O::drop_path, "drop_path",
                 "Share of samples whose change the last block drops while training, growing from "
                 "0 at the first; the variant's when left out.",
                 at_least(0), below(1))
          .field(&O::dropout, "dropout", "Share of the small networks' values dropped in training.",
                 at_least(0), below(1))
          .check("heads and depths must be as many.", [](const O& options) {
            const SwinForm form = swin_form(options);
            return form.heads.size() == form.depths.size();
          });
  return fields;
}

Choice<Layer> swin(SwinOptions options) { return choose<Layer>("swin", options); }

void register_swin(Registry<Layer>& layers) {
  layers.add<Swin>("swin",
                   "A Swin transformer: attention in the windows of an image [C, H, W], which move "
                   "from block to block, in stages of ever larger patches.");
}

}  // namespace hearth::layers
