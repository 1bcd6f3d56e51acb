// The points of images as rows, those of several images behind each other: what heads of a detector
// say of all places of all levels.
#include "hearth/nn/layers/shape/pixel_rows.h"

#include <ATen/ops/cat.h>

#include "hearth/nn/layer.h"
#include "hearth/nn/pointwise.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class PixelRows : public Layer {
 public:
  using Options = PixelRowsOptions;
  explicit PixelRows(PixelRowsOptions) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    Spec output;
    output.shape = {0, inputs.front().shape.empty() ? 0 : inputs.front().shape[0]};
    for (const Spec& input : inputs) {
      require_image(context, "pixel_rows", input);
      if (input.shape[0] != output.shape[1])
        throw_input_error(context, "pixel_rows",
                          "images of " + std::to_string(output.shape[1]) + " channels", input,
                          "Bring all to as many, for instance with conv2d.");
      output.shape[0] += input.shape[1] * input.shape[2];
    }
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    std::vector<at::Tensor> rows;
    for (const at::Tensor& input : inputs) rows.push_back(input.flatten(2).transpose(1, 2));
    outputs[0] = rows.size() == 1 ? rows.front() : at::cat(rows, 1);
  }
};

}  // namespace

const Schema<PixelRowsOptions>& PixelRowsOptions::schema() { return no_fields<PixelRowsOptions>(); }

Choice<Layer> pixel_rows(PixelRowsOptions options) { return choose<Layer>("pixel_rows", options); }

void register_pixel_rows(Registry<Layer>& layers) {
  layers.add<PixelRows>("pixel_rows",
                        "The points of images as rows, [C, H, W] becomes [H*W, C]; those of "
                        "several images of any size behind each other.");
}

}  // namespace hearth::layers
