// Four neighbours of an image become one point with twice the channels; children are named as in
// torchvision's PatchMerging and its second version.
#include "hearth/nn/blocks/patch_merging.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class PatchMerging : public Layer {
 public:
  using Options = PatchMergingOptions;
  explicit PatchMerging(PatchMergingOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "patch_merging", input);
    const int64_t channels = input.shape[0];
    const int64_t height = (input.shape[1] + 1) / 2;
    const int64_t width = (input.shape[2] + 1) / 2;
    Spec rows;
    rows.shape = {height * width, 4 * channels};
    reduction_ = add_child("reduction", linear({.out_features = 2 * channels, .bias = false}), rows,
                           context);
    norm_ = add_child("norm", layer_norm(), options_.norm_last ? reduction_->output_spec() : rows,
                      context);
    Spec output;
    output.shape = {2 * channels, height, width};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor points = neighbours(input);
    const at::Tensor rows = points.flatten(1, 2);
    const at::Tensor merged =
        options_.norm_last ? (*norm_)((*reduction_)(rows)) : (*reduction_)((*norm_)(rows));
    return merged.view({points.size(0), points.size(1), points.size(2), merged.size(2)})
        .permute({0, 3, 1, 2});
  }

 private:
  // [B, H/2, W/2, 4 C], zeros behind sides that are odd.
  static at::Tensor neighbours(const at::Tensor& image) {
    at::Tensor points = image.permute({0, 2, 3, 1});
    const int64_t height = points.size(1);
    const int64_t width = points.size(2);
    if (height % 2 + width % 2 > 0)
      points = at::constant_pad_nd(points, {0, 0, 0, width % 2, 0, height % 2});
    const auto part = [&](int64_t row, int64_t column) {
      return points.slice(1, row, height + 1, 2).slice(2, column, width + 1, 2);
    };
    return at::cat({part(0, 0), part(1, 0), part(0, 1), part(1, 1)}, 3);
  }

  PatchMergingOptions options_;
  Layer* reduction_ = nullptr;
  Layer* norm_ = nullptr;
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
