// A convolution over a grid of one, two or three dimensions.
//   layers.add<ConvolutionLayer<2>>("conv2d", "A convolution over images [C, H, W].");
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/convolution.h>

#include "hearth/kernels/convolution/convolution.h"
#include "hearth/nn/convolution_options.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth {

// GraphError unless the groups share the channels evenly.
inline void require_groups(const BuildContext& context, const std::string& layer, const Spec& input,
                           int64_t out, int64_t groups) {
  if (input.shape[0] % groups == 0 && out % groups == 0) return;
  throw_input_error(context, layer,
                    "channels, in and out, that " + std::to_string(groups) + " groups share evenly",
                    input, "Change groups or out_channels.");
}

// A line's number as that of an image of one row, whose height has `height`; of an image, itself.
template <size_t Dimensions>
[[nodiscard]] Sides<2> as_image(const Sides<Dimensions>& sides, int64_t height) {
  return {Dimensions == 1 ? height : sides[Dimensions - 2], sides[Dimensions - 1]};
}

template <size_t Dimensions>
class ConvolutionLayer : public Layer {
 public:
  using Options = ConvolutionOptions<Dimensions>;
  explicit ConvolutionLayer(Options options)
      : options_(std::move(options)),
        before_(zeros_before(options_)),
        further_(zeros_further(options_)),
        convolution_(kernel_shape()) {}

  [[nodiscard]] double work() const override {
    const Spec& output = output_spec();
    const auto window = static_cast<double>(weight_.numel() / output.shape[0]);
    return static_cast<double>(output.elements()) * window;
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    const std::string name = name_by_dimensions("conv", Dimensions);
    require_grid(context, name, input, Dimensions);
    const int64_t out = require_classes(
        context, {name, "out_channels", options_.out_channels, options_.classes_of});
    require_groups(context, name, input, out, options_.groups);
    std::vector<int64_t> shape = {out, input.shape[0] / options_.groups};
    for (const int64_t side : options_.kernel_size.lengths()) shape.push_back(side);
    const int64_t fan_in = c10::multiply_integers(shape) / out;
    weight_ = add_parameter("weight", first_weight(context, shape, fan_in));
    if (options_.bias)
      bias_ = add_parameter("bias", fan_in_uniform(context, "bias", {out}, fan_in));
    Spec output;
    output.shape = {out};
    for (size_t side = 0; side < Dimensions; ++side)
      output.shape.push_back(places(context, input, name, side));
    if (!options_.out_channels) output.classes = out;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    const at::Tensor image = further_.empty() ? input : at::constant_pad_nd(input, further_);
    if constexpr (Dimensions < 3) {
      const bool takes_relu = tail.relu && !tail.addend.defined();
      const at::Tensor output = convolved(image, takes_relu);
      return takes_relu ? output : apply_tail(output, tail);
    } else {
      return apply_tail(
          at::convolution(image, weight_, bias_, options_.stride.lengths(), before_.lengths(),
                          options_.dilation.lengths(), /*transposed=*/false,
                          Sides<Dimensions>(0).lengths(), options_.groups),
          tail);
    }
  }

  const WeightOrder* wanted_order(const at::Tensor& parameter) override {
    if constexpr (Dimensions == 2) {
      if (!parameter.is_same(weight_)) return nullptr;
      const std::vector<int64_t>& image = input_spec().shape;
      return convolution_.wanted_order(kernels(), weight_,
                                       {image[0], length(image, 0), length(image, 1)});
    } else {
      return Layer::wanted_order(parameter);
    }
  }

 private:
  // Of `same`, as many zeros before as after, or one less.
  [[nodiscard]] static Sides<Dimensions> zeros_before(const Options& options) {
    if (!options.padding.is_same()) return options.padding.sides();
    Sides<Dimensions> zeros = 0;
    for (size_t side = 0; side < Dimensions; ++side)
      zeros[side] = options.dilation[side] * (options.kernel_size[side] - 1) / 2;
    return zeros;
  }

  // What `same` needs after the image beyond that, as LibTorch's padding wants it: the last side
  // first, each with what comes before and after. Nothing when no side needs any.
  [[nodiscard]] static std::vector<int64_t> zeros_further(const Options& options) {
    if (!options.padding.is_same()) return {};
    std::vector<int64_t> zeros;
    bool needs_any = false;
    for (size_t side = Dimensions; side-- > 0;) {
      const int64_t odd = options.dilation[side] * (options.kernel_size[side] - 1) % 2;
      zeros.insert(zeros.end(), {0, odd});
      needs_any = needs_any || odd != 0;
    }
    return needs_any ? zeros : std::vector<int64_t>();
  }

  // With what `same` adds after it.
  [[nodiscard]] int64_t length(const std::vector<int64_t>& shape, size_t side) const {
    return shape[side + 1] + (further_.empty() ? 0 : further_[2 * (Dimensions - 1 - side) + 1]);
  }

  [[nodiscard]] int64_t places(const BuildContext& context, const Spec& input,
                               const std::string& name, size_t side) const {
    if (Dimensions == 1 && input.shape[1] == kAnyLength) return kAnyLength;
    const int64_t window = options_.dilation[side] * (options_.kernel_size[side] - 1) + 1;
    return window_places(context, name, input, length(input.shape, side) + 2 * before_[side],
                         window, options_.stride[side]);
  }

  // Lines are images of one row; volumes have no kernel of their own.
  [[nodiscard]] ConvolutionShape kernel_shape() const {
    if constexpr (Dimensions == 3) return {};
    return {as_image(options_.stride, 1), as_image(before_, 0), as_image(options_.dilation, 1),
            options_.groups};
  }
  [[nodiscard]] at::Tensor convolved(const at::Tensor& image, bool relu) {
    if constexpr (Dimensions == 1)
      return convolution_.run(kernels(), image.unsqueeze(2), weight_.unsqueeze(2), bias_, relu)
          .squeeze(2);
    return convolution_.run(kernels(), image, weight_, bias_, relu);
  }

  [[nodiscard]] at::Tensor first_weight(const BuildContext& context, at::IntArrayRef shape,
                                        int64_t fan_in) const {
    if (options_.init == "fan_in_uniform") return fan_in_uniform(context, "weight", shape, fan_in);
    const auto fan_out = static_cast<double>(shape[0] * (fan_in / shape[1]));
    return normal(context, "weight", shape, std::sqrt(2 / fan_out));
  }

  Options options_;
  Sides<Dimensions> before_;
  std::vector<int64_t> further_;
  at::Tensor weight_;
  at::Tensor bias_;
  Convolution convolution_;
};

}  // namespace hearth
