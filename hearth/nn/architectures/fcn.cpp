// A fully convolutional network; children are named as in torchvision.
#include "hearth/nn/architectures/fcn.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/fcn_head.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/segmentation.h"

namespace hearth::layers {
namespace {

class Fcn : public Layer {
 public:
  using Options = FcnOptions;
  explicit Fcn(FcnOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "fcn", inputs.front(), options_);
    const auto head = fcn_head({.out_channels = classes, .dropout = options_.dropout});
    return segmentation({segmentation_backbone(options_.backbone, options_.aux), head,
                         options_.aux ? std::optional(head) : std::nullopt, classes});
  }

 private:
  FcnOptions options_;
};

}  // namespace

const Schema<FcnOptions>& FcnOptions::schema() {
  using O = FcnOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::backbone, "backbone", kBackboneHelp)
          .field(&O::aux, "aux",
                 "Give scores from an earlier stage as a second output, for an additional loss.")
          .field(&O::dropout, "dropout", "Share of features dropped while training.", at_least(0),
                 below(1))
          .check(kBackboneFault, [](const O& options) { return is_backbone(options.backbone); });
  return fields;
}

Choice<Layer> fcn(FcnOptions options) { return choose<Layer>("fcn", options); }

void register_fcn(Registry<Layer>& layers) {
  layers.add<Fcn>("fcn",
                  "A fully convolutional network: scores for every point of an image, [classes, H, "
                  "W], from a classifier's features.");
}

}  // namespace hearth::layers
