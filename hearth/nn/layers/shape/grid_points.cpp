// Where the points of maps lie in the image they were made from, as torchvision's anchors of a
// detector do: steps are whole numbers, and begin in the image's corner.
#include "hearth/nn/layers/shape/grid_points.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr int64_t kNumbersOfPoint = 3;  // x, y, size

class GridPoints : public Layer {
 public:
  using Options = GridPointsOptions;
  explicit GridPoints(GridPointsOptions options) : options_(options) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() < 2)
      throw GraphError(context.path +
                       " grid_points: takes the image and then maps made from it, "
                       "but got one value. Write in: [image, map].");
    Spec output;
    output.shape = {0, kNumbersOfPoint};
    for (const Spec& input : inputs) require_image(context, "grid_points", input);
    for (const Spec& map : inputs.subspan(1)) output.shape[0] += map.shape[1] * map.shape[2];
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    std::vector<at::Tensor> levels;
    int64_t size = options_.first_size;
    for (const at::Tensor& map : inputs.subspan(1)) {
      levels.push_back(level_points(inputs[0], map, size));
      size *= 2;
    }
    const at::Tensor points = at::cat(levels, 0);
    outputs[0] = points.unsqueeze(0).expand({inputs[0].size(0), -1, -1});
  }

 private:
  static at::Tensor level_points(const at::Tensor& image, const at::Tensor& map, int64_t size) {
    const auto options = map.options().requires_grad(false);
    const std::vector<int64_t> grid = {map.size(2), map.size(3)};
    const auto along = [&](int64_t axis) {
      return at::arange(map.size(axis), options).mul(image.size(axis) / map.size(axis));
    };
    const at::Tensor x = along(3).unsqueeze(0).expand(grid);
    const at::Tensor y = along(2).unsqueeze(1).expand(grid);
    const at::Tensor sizes = at::full(grid, static_cast<double>(size), options);
    return at::stack({x, y, sizes}, 2).flatten(0, 1);
  }

  GridPointsOptions options_;
};

}  // namespace

const Schema<GridPointsOptions>& GridPointsOptions::schema() {
  using O = GridPointsOptions;
  static const auto fields =
      Schema<O>().field(&O::first_size, "first_size",
                        "The size that points of the first map stand for, in points of the image; "
                        "that of each further map is twice that of the one before.",
                        at_least(1));
  return fields;
}

Choice<Layer> grid_points(GridPointsOptions options) {
  return choose<Layer>("grid_points", options);
}

void register_grid_points(Registry<Layer>& layers) {
  layers.add<GridPoints>("grid_points",
                         "Where the points of maps lie in the image that they were made from, and "
                         "the size they stand for: x, y, size for each, [P, 3].");
}

}  // namespace hearth::layers
