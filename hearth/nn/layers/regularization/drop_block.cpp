// Makes squares of an image zero at random while training.
#include "hearth/nn/layers/regularization/drop_block.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/max_pool2d.h>
#include <algorithm>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/nn/dropping.h"

namespace hearth::layers {
namespace {

// So that nothing is divided by zero where all is gone.
constexpr double kEpsilon = 1e-6;

struct DropBlock {
  using Options = DropBlockOptions;
  static void require(const BuildContext& context, const Spec& input) {
    require_image(context, "drop_block", input);
  }
  static at::Tensor of(const at::Tensor& input, const Options& options) {
    const int64_t height = input.size(2);
    const int64_t width = input.size(3);
    const int64_t side = std::min({options.block_size, height, width});
    const std::vector<int64_t> corners = {input.size(0), input.size(1), height - side + 1,
                                          width - side + 1};
    // So often that, squares that overlap left aside, a share p of the points becomes zero.
    const double often = options.p * static_cast<double>(height * width) /
                         static_cast<double>(side * side * corners[2] * corners[3]);
    const at::Tensor hit = random_mask(input, corners, 1 - std::min(often, 1.0));
    const int64_t room = side - 1;
    const at::Tensor spread = at::constant_pad_nd(hit, {room, room, room, room});
    const at::Tensor kept = at::max_pool2d(spread, {side, side}, {1, 1}).neg().add_(1);
    const at::Tensor scale = kept.sum().add(kEpsilon).reciprocal().mul(kept.numel());
    return input.mul(kept).mul(scale);
  }
};

}  // namespace

const Schema<DropBlockOptions>& DropBlockOptions::schema() {
  using O = DropBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::p, "p", "Share of points that become zero, about.", at_least(0), below(1))
          .field(&O::block_size, "block_size", "Side of the squares.", at_least(1));
  return fields;
}

Choice<Layer> drop_block(DropBlockOptions options) { return choose<Layer>("drop_block", options); }

void register_drop_block(Registry<Layer>& layers) {
  layers.add<Dropping<DropBlock>>("drop_block",
                                  "Makes squares of the channels of an image [C, H, W] zero at "
                                  "random while training, and the rest larger.");
}

}  // namespace hearth::layers
