// What the residual blocks have in common.
#include "hearth/nn/residual.h"

#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth {

Choice<Layer> residual_convolution(const ResidualConvolution& form) {
  return layers::conv2d({.out_channels = form.out_channels,
                         .kernel_size = form.kernel_size,
                         .stride = form.stride,
                         .padding = form.kernel_size / 2 * form.dilation,
                         .dilation = form.dilation,
                         .groups = form.groups,
                         .bias = false,
                         .init = "kaiming_fan_out"});
}

Description residual(const std::vector<Choice<Layer>>& convolutions, int64_t out, int64_t stride,
                     const Spec& input) {
  std::vector<Choice<Layer>> nodes;
  for (size_t i = 0; i < convolutions.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    nodes.push_back(named(convolutions[i], "conv" + number));
    nodes.push_back(named(layers::batch_norm2d(), "bn" + number));
    if (i == 0) nodes.push_back(named(layers::relu(), "relu"));
    if (i > 0 && i + 1 < convolutions.size())
      nodes.push_back(named(layers::use({.layer = "relu"}), "relu" + number));
  }
  const std::string last = "bn" + std::to_string(convolutions.size());
  const bool has_way_around = stride != 1 || input.shape[0] != out;
  if (has_way_around)
    nodes.push_back(wired(
        layers::sequential({{residual_convolution({out, 1, stride}), layers::batch_norm2d()}}),
        {"input"}, {}, "downsample"));
  nodes.push_back(wired(layers::add(), {last, has_way_around ? "downsample" : "input"}, {}, "add"));
  nodes.push_back(named(layers::use({.layer = "relu"}), "output"));
  return described({"input"}, nodes);
}

}  // namespace hearth
