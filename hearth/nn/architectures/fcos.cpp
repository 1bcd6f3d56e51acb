// Tian et al., FCOS: fully convolutional one-stage object detection. Children are named as in
// torchvision's fcos_resnet50_fpn, which counts the background as a class, at 0.
#include "hearth/nn/architectures/fcos.h"

#include "hearth/config/registry.h"
#include "hearth/nn/architectures/resnet.h"
#include "hearth/nn/backbone.h"
#include "hearth/nn/blocks/fcos_head.h"
#include "hearth/nn/blocks/fpn.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/shape/grid_points.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

std::vector<std::string> counted_maps(const std::string& name, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(name + std::to_string(i));
  return names;
}

class Fcos : public Layer {
 public:
  using Options = FcosOptions;
  explicit Fcos(FcosOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "fcos", inputs.front());
    const auto extra = static_cast<size_t>(options_.extra_levels);
    const std::vector<std::string> maps = counted_maps("map", options_.levels.size() + extra);
    const FcosHeadOptions head = {.classes = options_.classes,
                                  .classes_of = options_.classes_of,
                                  .convolutions = options_.convolutions,
                                  .groups = options_.groups};
    std::vector<std::string> image_and_maps = maps;
    image_and_maps.insert(image_and_maps.begin(), "image");
    const std::vector<std::string> outputs = {"scores", "distances", "centerness", "points"};
    return described({"image"},
                     {wired(pyramid(inputs, context), {"image"}, maps, "backbone"),
                      wired(fcos_head(head), maps, {outputs[0], outputs[1], outputs[2]}, "head"),
                      wired(grid_points({options_.first_size}), image_and_maps, {}, outputs[3])},
                     outputs);
  }

 private:
  [[nodiscard]] Choice<Layer> pyramid(std::span<const Spec> inputs,
                                      const BuildContext& context) const {
    const Choice<Layer> network = options_.backbone.value_or(resnet({.depth = 50}));
    const size_t count = options_.levels.size();
    const std::vector<std::string> features = counted_maps("feature", count);
    const std::vector<std::string> maps =
        counted_maps("map", count + static_cast<size_t>(options_.extra_levels));
    const Choice<Layer> neck =
        fpn({.out_channels = options_.channels, .extra_levels = options_.extra_levels});
    return graph({.nodes = {wired(hearth::backbone(network, options_.levels, inputs, context),
                                  {"image"}, features, "body"),
                            wired(neck, features, maps, "fpn")},
                  .inputs = {"image"},
                  .outputs = maps});
  }

  FcosOptions options_;
};

}  // namespace

const Schema<FcosOptions>& FcosOptions::schema() {
  using O = FcosOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::backbone, "backbone",
                 "The network whose maps it looks at; left out: resnet of depth 50.")
          .field(&O::levels, "levels",
                 "Layers of the backbone whose maps are taken, each half as large as the one "
                 "before.",
                 not_empty())
          .field(&O::first_size, "first_size",
                 "How many points of the image a point of the first map stands for; those of each "
                 "further map stand for twice as many. A map finds things of four to eight times "
                 "this size, the first also smaller and the last also larger ones.",
                 at_least(1))
          .field(&O::channels, "channels", "Channels of the feature pyramid.", at_least(1))
          .field(&O::extra_levels, "extra_levels",
                 "Further maps for large things, made from the smallest.", at_least(0), at_most(4))
          .field(&O::convolutions, "convolutions", "Convolutions of each head before the last.",
                 layer_count())
          .field(&O::groups, "groups", "Groups of channels that heads normalize together.",
                 at_least(1));
  return fields;
}

Choice<Layer> fcos(FcosOptions options) { return choose<Layer>("fcos", options); }

void register_fcos(Registry<Layer>& layers) {
  layers.add<Fcos>("fcos",
                   "A detector without anchors: scores, distances to the sides of a box, "
                   "centerness and where it is, for points of maps of several sizes. fcos_loss "
                   "and detections read these four.");
}

}  // namespace hearth::layers
