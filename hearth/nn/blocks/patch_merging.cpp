// Four neighbours of an image become one point with twice the channels; children are named as in
// torchvision's PatchMerging and its second version.
#include "hearth/nn/blocks/patch_merging.h"

#include <utility>

#include "hearth/config/registry.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/shape/image_to_sequence.h"
#include "hearth/nn/layers/shape/sequence_to_image.h"
#include "hearth/nn/layers/shape/stack_neighbours.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class PatchMerging : public Layer {
 public:
  using Options = PatchMergingOptions;
  explicit PatchMerging(PatchMergingOptions options) : options_(options) {}

 protected:
  // Of a channels-last image points and sequences are the same memory.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "patch_merging", inputs.front());
    const auto linear_layer = linear({.out_features = 2 * inputs.front().shape[0], .bias = false});
    std::vector<Choice<Layer>> nodes = {
        named(stack_neighbours(), "neighbours"), named(image_to_sequence(), "points"),
        named(layer_norm(), "norm"), named(linear_layer, "reduction")};
    if (options_.norm_last) std::swap(nodes[2], nodes[3]);
    const std::string last = options_.norm_last ? "norm" : "reduction";
    nodes.push_back(wired(sequence_to_image(), {last, "neighbours"}, {}, "image"));
    Description block = described({"input"}, nodes);
    block.first_children = {"reduction", "norm"};
    return block;
  }

 private:
  PatchMergingOptions options_;
};

}  // namespace

const Schema<PatchMergingOptions>& PatchMergingOptions::schema() {
  using O = PatchMergingOptions;
  static const auto fields = Schema<O>().field(
      &O::norm_last, "norm_last",
      "The layer norm comes after the linear layer instead of before it: the second version.");
  return fields;
}

Choice<Layer> patch_merging(PatchMergingOptions options) {
  return choose<Layer>("patch_merging", options);
}

void register_patch_merging(Registry<Layer>& layers) {
  layers.add<PatchMerging>("patch_merging",
                           "Four neighbours of an image [C, H, W] become one point by a layer norm "
                           "and a linear layer: [2 C, H/2, W/2].");
}

}  // namespace hearth::layers
