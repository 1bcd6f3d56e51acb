// Four neighbours of an image become one point with four times the channels.
#include "hearth/nn/layers/shape/stack_neighbours.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>

#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class StackNeighbours : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "stack_neighbours", input);
    Spec output;
    output.shape = {4 * input.shape[0], (input.shape[1] + 1) / 2, (input.shape[2] + 1) / 2};
    return output;
  }

  // In torchvision's order. What comes out is channels-last.
  at::Tensor forward(const at::Tensor& input) override {
    at::Tensor points = input.permute({0, 2, 3, 1});
    const int64_t height = points.size(1);
    const int64_t width = points.size(2);
    if (height % 2 + width % 2 > 0)
      points = at::constant_pad_nd(points, {0, 0, 0, width % 2, 0, height % 2});
    const auto part = [&](int64_t row, int64_t column) {
      return points.slice(1, row, height + 1, 2).slice(2, column, width + 1, 2);
    };
    return at::cat({part(0, 0), part(1, 0), part(0, 1), part(1, 1)}, 3).permute({0, 3, 1, 2});
  }
};

}  // namespace

Choice<Layer> stack_neighbours() { return {"stack_neighbours", Node::map()}; }

void register_stack_neighbours(Registry<Layer>& layers) {
  layers.add("stack_neighbours",
             "Four neighbours of an image become one point, zeros behind sides that are odd: [C, "
             "H, W] becomes [4 C, H/2, W/2].",
             [] { return std::make_unique<StackNeighbours>(); });
}

}  // namespace hearth::layers
