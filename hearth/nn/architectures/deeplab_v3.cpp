// DeepLab's third version; children are named as in torchvision.
#include "hearth/nn/architectures/deeplab_v3.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/aspp.h"
#include "hearth/nn/blocks/fcn_head.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/segmentation.h"

namespace hearth::layers {
namespace {

class DeeplabV3 : public Layer {
 public:
  using Options = DeeplabV3Options;
  explicit DeeplabV3(DeeplabV3Options options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "deeplab_v3", inputs.front(), options_);
    Segmentation form = {segmentation_backbone(options_.backbone, options_.aux), head(classes)};
    if (options_.aux)
      form.aux_classifier = fcn_head({.out_channels = classes, .dropout = options_.aux_dropout});
    form.classes = classes;
    return segmentation(form);
  }

 private:
  [[nodiscard]] Choice<Layer> head(int64_t classes) const {
    return sequential(
        {{aspp({.out_channels = options_.width,
                .rates = options_.rates,
                .dropout = options_.dropout}),
          conv2d({.out_channels = options_.width, .padding = 1, .bias = false}), batch_norm2d(),
          relu(), conv2d({.out_channels = classes, .kernel_size = 1})}});
  }

  DeeplabV3Options options_;
};

}  // namespace

const Schema<DeeplabV3Options>& DeeplabV3Options::schema() {
  using O = DeeplabV3Options;
  static const auto fields =
      class_fields<O>()
          .field(&O::backbone, "backbone", kBackboneHelp)
          .field(&O::aux, "aux",
                 "Give scores from an earlier stage as a second output, for an additional loss.")
          .field(&O::width, "width", "Channels of the head.", at_least(1))
          .field(&O::rates, "rates",
                 "Distances between the points of each window that looks at the features.",
                 at_least(1))
          .field(&O::dropout, "dropout", "Share of the pyramid's values dropped while training.",
                 at_least(0), below(1))
          .field(&O::aux_dropout, "aux_dropout", "The same of the auxiliary head's features.",
                 at_least(0), below(1))
          .check(kBackboneFault, [](const O& options) { return is_backbone(options.backbone); });
  return fields;
}

Choice<Layer> deeplab_v3(DeeplabV3Options options) { return choose<Layer>("deeplab_v3", options); }

void register_deeplab_v3(Registry<Layer>& layers) {
  layers.add<DeeplabV3>("deeplab_v3",
                        "DeepLab v3: scores for every point of an image, [classes, H, W], from a "
                        "classifier's features seen through windows of several distances.");
}

}  // namespace hearth::layers
