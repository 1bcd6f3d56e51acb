// Lin et al., Feature Pyramid Networks: what deep maps know comes down to the finer ones. Children
// are named as in torchvision's FeaturePyramidNetwork with LastLevelP6P7.
#include "hearth/nn/blocks/fpn.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializers/kaiming_uniform.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/shape/resize_like.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr int64_t kFirstExtraLevel = 6;  // by the usual names of levels, p3 to p7

std::vector<std::string> numbered(const std::string& name, size_t count) {
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(name + std::to_string(i));
  return names;
}

class Fpn : public Layer {
 public:
  using Options = FpnOptions;
  explicit Fpn(FpnOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    for (const Spec& input : inputs) require_image(context, "fpn", input);
    const size_t count = inputs.size();
    const std::vector<std::string> maps = numbered("map", count);
    const std::vector<std::string> sides = numbered("side", count);
    std::vector<std::string> merged = sides;
    std::vector<Choice<Layer>> nodes = {wired(each(count, 1), maps, sides, "inner_blocks")};
    for (size_t i = count - 1; i-- > 0;) {
      const std::string number = std::to_string(i);
      nodes.push_back(wired(resize_like({.mode = "nearest"}), {merged[i + 1], sides[i]},
                            {"above" + number}, "up" + number));
      merged[i] = "merged" + number;
      nodes.push_back(wired(add(), {sides[i], "above" + number}, {merged[i]}, "add" + number));
    }
    std::vector<std::string> levels = numbered("level", count);
    nodes.push_back(wired(each(count, 3), merged, levels, "layer_blocks"));
    if (options_.extra_levels > 0) {
      const std::string last = levels.back();
      const auto extra = static_cast<size_t>(options_.extra_levels);
      const std::vector<std::string> more = numbered("extra", extra);
      nodes.push_back(wired(extra_levels(), {last}, more, "extra_blocks"));
      levels.insert(levels.end(), more.begin(), more.end());
    }
    return described(maps, nodes, levels);
  }

 private:
  // Weights of one spread whatever follows, and no bias at first.
  [[nodiscard]] static Choice<Layer> begun(const Choice<Layer>& layer) {
    return starting_with(layer, {{"*.weight", initializers::kaiming_uniform({.negative_slope = 1})},
                                 {"*.bias", initializers::zeros()}});
  }

  [[nodiscard]] Choice<Layer> convolution(int64_t kernel, int64_t stride = 1) const {
    return conv2d({.out_channels = options_.out_channels,
                   .kernel_size = kernel,
                   .stride = stride,
                   .padding = kernel / 2});
  }

  // A convolution of its own for each map.
  [[nodiscard]] Choice<Layer> each(size_t count, int64_t kernel) const {
    GraphOptions all;
    all.inputs = numbered("map", count);
    all.outputs = numbered("out", count);
    for (size_t i = 0; i < count; ++i)
      all.nodes.push_back(wired(sequential({{convolution(kernel)}}), {all.inputs[i]},
                                {all.outputs[i]}, std::to_string(i)));
    return begun(graph(all));
  }

  [[nodiscard]] Choice<Layer> extra_levels() const {
    GraphOptions all;
    std::string before = "input";
    for (int64_t i = 0; i < options_.extra_levels; ++i) {
      const std::string level = "p" + std::to_string(kFirstExtraLevel + i);
      if (i > 0) {
        all.nodes.push_back(wired(relu(), {before}, {}, "relu_" + before));
        before = "relu_" + before;
      }
      all.nodes.push_back(wired(convolution(3, 2), {before}, {}, level));
      all.outputs.push_back(level);
      before = level;
    }
    return begun(graph(all));
  }

  FpnOptions options_;
};

}  // namespace

const Schema<FpnOptions>& FpnOptions::schema() {
  using O = FpnOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels of every map that comes out.",
                 at_least(1))
          .field(&O::extra_levels, "extra_levels",
                 "Further maps, each half as large as the one before, made from the smallest.",
                 at_least(0), at_most(4));
  return fields;
}

Choice<Layer> fpn(FpnOptions options) { return choose<Layer>("fpn", options); }

void register_fpn(Registry<Layer>& layers) {
  layers.add<Fpn>("fpn",
                  "A feature pyramid of several maps, the largest first: each comes out with as "
                  "many channels, and with what the smaller ones know.");
}

}  // namespace hearth::layers
