// A sequence as the points of an image as large as another.
#include "hearth/nn/layers/shape/sequence_to_image.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class SequenceToImage : public Layer {
 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() != 2)
      throw GraphError(context.path +
                       " sequence_to_image: needs two inputs, the sequence and an image as large "
                       "as the one to make, but got " +
                       std::to_string(inputs.size()) + ". Name both in `in`.");
    const Spec& sequence = inputs[0];
    const Spec& image = inputs[1];
    require_sequence(context, "sequence_to_image", sequence);
    require_image(context, "sequence_to_image", image);
    if (sequence.shape[0] != image.shape[1] * image.shape[2])
      throw_input_error(context, "sequence_to_image",
                        "a sequence with a place for each point of " + image.text(), sequence,
                        "Give it the image that the sequence was made from.");
    Spec output;
    output.shape = {sequence.shape[1], image.shape[1], image.shape[2]};
    return {output};
  }

  // The image is channels-last: the same memory.
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor& sequence = inputs[0];
    const std::vector<int64_t> points = {sequence.size(0), inputs[1].size(2), inputs[1].size(3),
                                         sequence.size(2)};
    outputs[0] = sequence.reshape(points).permute({0, 3, 1, 2});
  }
};

}  // namespace

Choice<Layer> sequence_to_image() { return {"sequence_to_image", Node::map()}; }

void register_sequence_to_image(Registry<Layer>& layers) {
  layers.add("sequence_to_image",
             "A sequence [H*W, D] as the points of an image [D, H, W], as large "
             "as the image that is the second input.",
             [] { return std::make_unique<SequenceToImage>(); });
}

}  // namespace hearth::layers
