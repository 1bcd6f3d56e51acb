// An image brought to another one's sides.
#include "hearth/nn/layers/shape/resize_like.h"

#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_nearest2d.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class ResizeLike : public Layer {
 public:
  using Options = ResizeLikeOptions;
  explicit ResizeLike(ResizeLikeOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() != 2)
      throw GraphError(context.path +
                       " resize_like: needs two inputs, the image and the one whose sides it "
                       "takes, but got " +
                       std::to_string(inputs.size()) + ". Name both in `in`.");
    for (const Spec& input : inputs) require_image(context, "resize_like", input);
    Spec output;
    output.shape = {inputs[0].shape[0], inputs[1].shape[1], inputs[1].shape[2]};
    output.classes = inputs[0].classes;
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const std::vector<int64_t> sides = {inputs[1].size(2), inputs[1].size(3)};
    outputs[0] = options_.mode == "nearest" ? at::upsample_nearest2d(inputs[0], sides)
                                            : at::upsample_bilinear2d(inputs[0], sides, false);
  }

 private:
  ResizeLikeOptions options_;
};

}  // namespace

const Schema<ResizeLikeOptions>& ResizeLikeOptions::schema() {
  using O = ResizeLikeOptions;
  static const auto fields = Schema<O>().field(
      &O::mode, "mode",
      "`nearest` takes the nearest point, `bilinear` draws between them as PyTorch does with "
      "align_corners off.",
      one_of({"nearest", "bilinear"}));
  return fields;
}

Choice<Layer> resize_like(ResizeLikeOptions options) {
  return choose<Layer>("resize_like", options);
}

void register_resize_like(Registry<Layer>& layers) {
  layers.add<ResizeLike>("resize_like", "An image [C, H, W] brought to the sides of a second one.");
}

}  // namespace hearth::layers
