// Weighs the channels of an image, then its points (Woo et al. 2018).
#include "hearth/nn/blocks/cbam.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mean.h>

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Cbam : public Layer {
 public:
  using Options = CbamOptions;
  explicit Cbam(CbamOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "cbam", input);
    const int64_t channels = input.shape[0];
    const int64_t squeezed = std::max<int64_t>(1, channels / options_.reduction);
    Spec means;
    means.shape = {channels};
    mlp_ = add_child("mlp",
                     sequential({{named(linear({.out_features = squeezed}), "fc1"), relu(),
                                  named(linear({.out_features = channels}), "fc2")}}),
                     means, context);
    Spec maps = input;
    maps.shape[0] = 2;
    conv_ = add_child("conv",
                      conv2d({.out_channels = 1,
                              .kernel_size = options_.kernel_size,
                              .padding = options_.kernel_size / 2,
                              .bias = false}),
                      maps, context);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor weighed = input.mul(channel_weights(input));
    return weighed.mul(point_weights(weighed));
  }

 private:
  // One network judges means and largest values alike.
  [[nodiscard]] at::Tensor channel_weights(const at::Tensor& image) const {
    const at::Tensor means = at::mean(image, at::IntArrayRef({2, 3}));
    const at::Tensor largest = at::amax(image, at::IntArrayRef({2, 3}));
    return (*mlp_)(means).add((*mlp_)(largest)).sigmoid().unsqueeze(2).unsqueeze(3);
  }

  [[nodiscard]] at::Tensor point_weights(const at::Tensor& image) const {
    const at::Tensor largest = at::amax(image, at::IntArrayRef({1}), /*keepdim=*/true);
    const at::Tensor means = at::mean(image, at::IntArrayRef({1}), /*keepdim=*/true);
    return (*conv_)(at::cat({largest, means}, 1)).sigmoid();
  }

  CbamOptions options_;
  Layer* mlp_ = nullptr;
  Layer* conv_ = nullptr;
};

}  // namespace

const Schema<CbamOptions>& CbamOptions::schema() {
  using O = CbamOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::reduction, "reduction",
                 "How many times fewer hidden values than channels the network that weighs them "
                 "has.",
                 at_least(1))
          .field(&O::kernel_size, "kernel_size",
                 "Side of the window that weighs a point by its surroundings; an odd number.",
                 at_least(1))
          .check("kernel_size must be odd.",
                 [](const O& options) { return options.kernel_size % 2 == 1; });
  return fields;
}

Choice<Layer> cbam(CbamOptions options) { return choose<Layer>("cbam", options); }

void register_cbam(Registry<Layer>& layers) {
  layers.add<Cbam>("cbam",
                   "Weighs the channels of an image [C, H, W] by their means and largest values, "
                   "then its points by those of their surroundings.");
}

}  // namespace hearth::layers
