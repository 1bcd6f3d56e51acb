// The points of an image as a sequence, row by row.
#include "hearth/nn/layers/shape/image_to_sequence.h"

#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class ImageToSequence : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "image_to_sequence", input);
    Spec output;
    output.shape = {input.shape[1] * input.shape[2], input.shape[0]};
    return output;
  }

  // Of a channels-last image it is the same memory.
  at::Tensor forward(const at::Tensor& input) override { return input.flatten(2).transpose(1, 2); }
};

}  // namespace

Choice<Layer> image_to_sequence() { return {"image_to_sequence", Node::map()}; }

void register_image_to_sequence(Registry<Layer>& layers) {
  layers.add("image_to_sequence",
             "The points of an image as a sequence, row by row: [C, H, W] becomes [H*W, C].",
             [] { return std::make_unique<ImageToSequence>(); });
}

}  // namespace hearth::layers
