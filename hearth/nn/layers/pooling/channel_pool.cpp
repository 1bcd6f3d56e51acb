// The largest value and the mean of every point's channels.
#include "hearth/nn/layers/pooling/channel_pool.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mean.h>

#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class ChannelPool : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "channel_pool", input);
    Spec output;
    output.shape = {2, input.shape[1], input.shape[2]};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor largest = at::amax(input, at::IntArrayRef({1}), /*keepdim=*/true);
    const at::Tensor means = at::mean(input, at::IntArrayRef({1}), /*keepdim=*/true);
    return at::cat({largest, means}, 1);
  }
};

}  // namespace

Choice<Layer> channel_pool() { return {"channel_pool", Node::map()}; }

void register_channel_pool(Registry<Layer>& layers) {
  layers.add("channel_pool",
             "The largest value and the mean of every point's channels: [C, H, W] becomes [2, H, "
             "W].",
             [] { return std::make_unique<ChannelPool>(); });
}

}  // namespace hearth::layers
