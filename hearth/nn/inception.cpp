// What googlenet and inception_v3 have in common.
#include "hearth/nn/inception.h"

#include "hearth/nn/initializers/trunc_normal.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/shape/channel_affine.h"

namespace hearth {
namespace {

FirstValues truncated_weights(double deviation) {
  return {{"weight", initializers::trunc_normal({.std = deviation})}};
}

}  // namespace

Choice<Layer> basic_convolution(const BasicConvolution& form) {
  const Choice<Layer> convolution = starting_with(layers::conv2d({.out_channels = form.out_channels,
                                                                  .kernel_size = form.kernel_size,
                                                                  .stride = form.stride,
                                                                  .padding = form.padding,
                                                                  .bias = false}),
                                                  truncated_weights(form.deviation));
  return layers::sequential(
      {{named(convolution, "conv"), named(layers::batch_norm2d({.eps = 0.001}), "bn"),
        named(layers::relu(), "relu")}});
}

Choice<Layer> inception_linear(int64_t out_features, double deviation) {
  return starting_with(layers::linear({.out_features = out_features}),
                       truncated_weights(deviation));
}

Choice<Layer> inception_input() {
  const std::vector<double> means = {0.485, 0.456, 0.406};
  const std::vector<double> deviations = {0.229, 0.224, 0.225};
  layers::ChannelAffineOptions all;
  for (size_t i = 0; i < means.size(); ++i) {
    all.scale.push_back(deviations[i] / 0.5);
    all.shift.push_back((means[i] - 0.5) / 0.5);
  }
  return layers::channel_affine(all);
}

}  // namespace hearth
