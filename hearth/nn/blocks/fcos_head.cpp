// Tian et al., FCOS: scores of classes, distances to the four sides of a box and how near its
// middle is, for every point of every map, by the same layers. Children are named as in
// torchvision's FCOSHead.
#include "hearth/nn/blocks/fcos_head.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/initializers/constant.h"
#include "hearth/nn/initializers/normal.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/group_norm.h"
#include "hearth/nn/layers/shape/pixel_rows.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kFirstShare = 0.01;  // of points with a thing, as scores begin

// A convolution that keeps the size.
Choice<Layer> head_convolution(int64_t channels) {
  return conv2d({.out_channels = channels, .kernel_size = 3, .padding = 1});
}

// A branch of the head: nodes over all maps, one set of layers.
class HeadBranch {
 public:
  explicit HeadBranch(std::vector<std::string> maps) { all_.inputs = std::move(maps); }

  // The layer on each of the values; names of what it gives.
  std::vector<std::string> add(const std::string& name, const Choice<Layer>& layer,
                               const std::vector<std::string>& values) {
    std::vector<std::string> out;
    for (size_t i = 0; i < values.size(); ++i) {
      out.push_back(name + "_of_" + std::to_string(i));
      const Choice<Layer> node = i == 0 ? layer : use({name});
      all_.nodes.push_back(wired(node, {values[i]}, {out[i]}, i == 0 ? name : out[i]));
    }
    return out;
  }
  void add_rows(const std::string& name, const std::vector<std::string>& values) {
    all_.nodes.push_back(wired(pixel_rows(), values, {}, name));
    all_.outputs.push_back(name);
  }
  // Its convolutions begin as torchvision's do.
  void begin(const std::string& convolution, double bias = 0) {
    first_.emplace_back(convolution + ".weight", initializers::normal({.std = 0.01}));
    first_.emplace_back(convolution + ".bias", initializers::constant({.value = bias}));
  }
  [[nodiscard]] Choice<Layer> layer() const { return starting_with(graph(all_), first_); }

 private:
  GraphOptions all_;
  FirstValues first_;
};

class FcosHead : public Layer {
 public:
  using Options = FcosHeadOptions;
  explicit FcosHead(FcosHeadOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    for (const Spec& input : inputs) require_image(context, "fcos_head", input);
    const int64_t classes =
        require_classes(context, {"fcos_head", "classes", options_.classes, options_.classes_of});
    const int64_t channels = inputs.front().shape[0];
    std::vector<std::string> maps;
    for (size_t i = 0; i < inputs.size(); ++i) maps.push_back("map" + std::to_string(i));
    const std::vector<Choice<Layer>> nodes = {
        wired(classification(maps, channels, classes), maps, {"scores"}, "classification_head"),
        wired(regression(maps, channels), maps, {"distances", "centerness"}, "regression_head")};
    return described(maps, nodes, {"scores", "distances", "centerness"});
  }

 private:
  // Names of what it gives.
  std::vector<std::string> add_tower(HeadBranch& branch, const std::vector<std::string>& maps,
                                     int64_t channels) const {
    SequentialOptions all;
    for (int64_t i = 0; i < options_.convolutions; ++i) {
      branch.begin("conv." + std::to_string(all.layers.size()));
      all.layers.push_back(head_convolution(channels));
      all.layers.push_back(group_norm({.groups = options_.groups}));
      all.layers.push_back(relu());
    }
    return branch.add("conv", sequential(all), maps);
  }

  [[nodiscard]] Choice<Layer> classification(const std::vector<std::string>& maps, int64_t channels,
                                             int64_t classes) const {
    HeadBranch branch(maps);
    branch.begin("cls_logits", -std::log((1 - kFirstShare) / kFirstShare));
    branch.add_rows("scores", branch.add("cls_logits", head_convolution(classes),
                                         add_tower(branch, maps, channels)));
    return branch.layer();
  }

  [[nodiscard]] Choice<Layer> regression(const std::vector<std::string>& maps,
                                         int64_t channels) const {
    HeadBranch branch(maps);
    for (const char* name : {"bbox_reg", "bbox_ctrness"}) branch.begin(name);
    const std::vector<std::string> features = add_tower(branch, maps, channels);
    branch.add_rows("distances", branch.add("relu", relu(),
                                            branch.add("bbox_reg", head_convolution(4), features)));
    branch.add_rows("centerness", branch.add("bbox_ctrness", head_convolution(1), features));
    return branch.layer();
  }

  FcosHeadOptions options_;
};

}  // namespace

const Schema<FcosHeadOptions>& FcosHeadOptions::schema() {
  using O = FcosHeadOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::convolutions, "convolutions",
                 "Convolutions with group norm and relu before the last one.", layer_count())
          .field(&O::groups, "groups", "Groups of channels that are normalized together.",
                 at_least(1));
  return fields;
}

Choice<Layer> fcos_head(FcosHeadOptions options) { return choose<Layer>("fcos_head", options); }

void register_fcos_head(Registry<Layer>& layers) {
  layers.add<FcosHead>("fcos_head",
                       "Of the points of several maps, rows behind each other: scores of classes "
                       "[P, classes], distances to the sides of a box [P, 4] in sizes of the "
                       "point, and a score for being near its middle [P, 1].");
}

}  // namespace hearth::layers
