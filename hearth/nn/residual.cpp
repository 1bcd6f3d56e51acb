// What the residual blocks have in common.
#include "hearth/nn/residual.h"

#include "hearth/nn/layers/batch_norm2d.h"
#include "hearth/nn/layers/conv2d.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/layers/sequential.h"

namespace hearth {
namespace {

constexpr size_t kResidualRelu = 2;  // its place among the children

// Of a convolution among the children; its batch norm follows it.
size_t residual_place(size_t convolution) { return convolution == 0 ? 0 : 2 * convolution + 1; }

}  // namespace

Choice<Layer> residual_convolution(int64_t out_channels, int64_t kernel_size, int64_t stride) {
  return conv2d({.out_channels = out_channels,
                 .kernel_size = kernel_size,
                 .stride = stride,
                 .padding = kernel_size / 2,
                 .bias = false,
                 .init = "kaiming_fan_out"});
}

Spec ResidualLayer::add_residual(const std::vector<Choice<Layer>>& convolutions, int64_t out,
                                 int64_t stride, const Spec& input, const BuildContext& context) {
  convolutions_ = convolutions.size();
  std::vector<std::pair<std::string, Choice<Layer>>> chain;
  for (size_t i = 0; i < convolutions.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    chain.emplace_back("conv" + number, convolutions[i]);
    chain.emplace_back("bn" + number, batch_norm2d());
    if (i == 0) chain.emplace_back("relu", relu());
  }
  const Spec output = add_chain(chain, input, context);
  if (stride != 1 || input.shape[0] != out) {
    (void)add_chain(
        {{"downsample", sequential({{residual_convolution(out, 1, stride), batch_norm2d()}})}},
        input, context);
  }
  return output;
}

at::Tensor ResidualLayer::forward(const at::Tensor& input) {
  Layer& relu = child(kResidualRelu);
  at::Tensor value = input;
  for (size_t i = 0; i + 1 < convolutions_; ++i) {
    const size_t place = residual_place(i);
    value = call_with_relu(child(place + 1), relu, child(place)(value));
  }
  const size_t last = residual_place(convolutions_ - 1);
  const bool has_downsample = last + 2 < child_count();
  const at::Tensor around = has_downsample ? child(last + 2)(input) : input;
  return call_with_relu(child(last + 1), relu, child(last)(value), around);
}

}  // namespace hearth
