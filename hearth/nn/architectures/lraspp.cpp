// MobileNetV3's light head for segmentation; children are named as in torchvision.
#include "hearth/nn/architectures/lraspp.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/sigmoid.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/multiply.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/shape/resize_like.h"
#include "hearth/nn/segmentation.h"

namespace hearth::layers {
namespace {

class Lraspp : public Layer {
 public:
  using Options = LrasppOptions;
  explicit Lraspp(LrasppOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "lraspp", inputs.front(), options_);
    Description description =
        described({"input"}, {wired(segmentation_backbone(options_.backbone, true), {"input"},
                                    {"high", "low"}, "backbone"),
                              wired(head(classes), {"low", "high"}, {}, "classifier"),
                              wired(resize_like(), {"classifier", "input"}, {}, "out")});
    description.classes = classes;
    return description;
  }

 private:
  // Coarse features weighed by the image as a whole, and fine ones as they are.
  [[nodiscard]] Choice<Layer> head(int64_t classes) const {
    const int64_t width = options_.width;
    const auto scores = conv2d({.out_channels = classes, .kernel_size = 1});
    const auto scale =
        sequential({{adaptive_average_pool2d({.size = 1}),
                     conv2d({.out_channels = width, .kernel_size = 1, .bias = false}), sigmoid()}});
    GraphOptions all;
    all.inputs = {"low", "high"};
    all.nodes = {
        wired(conv_norm_activation({.out_channels = width, .kernel_size = 1}), {"high"}, {}, "cbr"),
        wired(scale, {"high"}, {}, "scale"),
        wired(multiply(), {"cbr", "scale"}, {}, "weighed"),
        wired(resize_like(), {"weighed", "low"}, {}, "large"),
        wired(scores, {"low"}, {}, "low_classifier"),
        wired(scores, {"large"}, {}, "high_classifier"),
        wired(add(), {"low_classifier", "high_classifier"}, {}, "sum")};
    return graph(all);
  }

  LrasppOptions options_;
};

}  // namespace

const Schema<LrasppOptions>& LrasppOptions::schema() {
  using O = LrasppOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::backbone, "backbone", kBackboneHelp)
          .field(&O::width, "width", "Channels of the head.", at_least(1))
          .check(kBackboneFault, [](const O& options) { return is_backbone(options.backbone); });
  return fields;
}

Choice<Layer> lraspp(LrasppOptions options) { return choose<Layer>("lraspp", options); }

void register_lraspp(Registry<Layer>& layers) {
  layers.add<Lraspp>(
      "lraspp",
      "Lite R-ASPP: scores for every point of an image, [classes, H, W], from coarse "
      "and fine features of a classifier.");
}

}  // namespace hearth::layers
