// A transposed convolution over a grid of one, two or three dimensions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/convolution.h>

#include "hearth/kernels/convolution/transposed_convolution.h"
#include "hearth/nn/convolution_layer.h"

namespace hearth {

template <size_t Dimensions>
class ConvolutionTransposeLayer : public Layer {
 public:
  using Options = ConvolutionTransposeOptions<Dimensions>;
  explicit ConvolutionTransposeLayer(Options options)
      : options_(std::move(options)), convolution_(kernel_shape(), kernel_padding()) {}

  // Every value that comes in goes into a window of every channel of its group.
  [[nodiscard]] double work() const override {
    const Spec& input = input_spec();
    const auto window = static_cast<double>(weight_.numel() / input.shape[0]);
    return static_cast<double>(input.elements()) * window;
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const std::string name = name_by_dimensions("conv_transpose", Dimensions);
    require_grid(context, name, input, Dimensions);
    const int64_t out = require_classes(
        context, {name, "out_channels", options_.out_channels, options_.classes_of});
    require_groups(context, name, input, out, options_.groups);
    std::vector<int64_t> shape = {input.shape[0], out / options_.groups};
    for (const int64_t side : options_.kernel_size.lengths()) shape.push_back(side);
    // PyTorch counts the second dimension as what comes in, here too.
    const int64_t fan_in = c10::multiply_integers(shape) / input.shape[0];
    weight_ = add_parameter("weight", fan_in_uniform(context, "weight", shape, fan_in));
    if (options_.bias)
      bias_ = add_parameter("bias", fan_in_uniform(context, "bias", {out}, fan_in));
    Spec output;
    output.shape = {out};
    for (size_t side = 0; side < Dimensions; ++side)
      output.shape.push_back(length(context, input, name, side));
    if (!options_.out_channels) output.classes = out;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    if constexpr (Dimensions == 2)
      return convolution_.run(kernels(), input, weight_, bias_);
    else if constexpr (Dimensions == 1)
      return convolution_.run(kernels(), input.unsqueeze(2), weight_.unsqueeze(2), bias_)
          .squeeze(2);
    return at::convolution(input, weight_, bias_, options_.stride.lengths(),
                           options_.padding.lengths(), options_.dilation.lengths(),
                           /*transposed=*/true, options_.output_padding.lengths(), options_.groups);
  }

 private:
  [[nodiscard]] int64_t length(const BuildContext& context, const Spec& input,
                               const std::string& name, size_t side) const {
    if (Dimensions == 1 && input.shape[1] == kAnyLength) return kAnyLength;
    const int64_t window = options_.dilation[side] * (options_.kernel_size[side] - 1) + 1;
    const int64_t length = (input.shape[side + 1] - 1) * options_.stride[side] + window -
                           2 * options_.padding[side] + options_.output_padding[side];
    if (length > 0) return length;
    throw_input_error(context, name, "more points than padding takes away", input,
                      "Use less padding or a larger kernel.");
  }

  // Lines are images of one row; volumes have no kernel of their own.
  [[nodiscard]] ConvolutionShape kernel_shape() const {
    if constexpr (Dimensions == 3) return {};
    return {as_image(options_.stride, 1), as_image(options_.padding, 0),
            as_image(options_.dilation, 1), options_.groups};
  }
  [[nodiscard]] Sides<2> kernel_padding() const { return as_image(options_.output_padding, 0); }

  Options options_;
  at::Tensor weight_;
  at::Tensor bias_;
  TransposedConvolution convolution_;
};

}  // namespace hearth
