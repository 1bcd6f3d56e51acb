// A convolution over images.
#include "hearth/nn/layers/convolution/conv2d.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/kernels/convolution/convolution.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Conv2d : public Layer {
 public:
  using Options = Conv2dOptions;
  explicit Conv2d(Conv2dOptions options)
      : options_(std::move(options)),
        convolution_({options_.stride, options_.padding, options_.dilation, options_.groups}) {}

  [[nodiscard]] double work() const override {
    const Spec& output = output_spec();
    const auto window = static_cast<double>(weight_.numel() / output.shape[0]);
    return static_cast<double>(output.elements()) * window;
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "conv2d", input);
    const int64_t out = require_classes(
        context, {"conv2d", "out_channels", options_.out_channels, options_.classes_of});
    const int64_t kernel = options_.kernel_size;
    const int64_t channels = input.shape[0] / options_.groups;
    require_groups(context, input, out);
    const int64_t fan_in = channels * kernel * kernel;
    weight_ = add_parameter("weight", first_weight(context, {out, channels, kernel, kernel}));
    if (options_.bias)
      bias_ = add_parameter("bias", fan_in_uniform(context, "bias", {out}, fan_in));
    Spec output;
    output.shape = {out, side(context, input, 1), side(context, input, 2)};
    if (!options_.out_channels) output.classes = out;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    if (tail.addend.defined()) return Layer::forward(input, tail);
    return convolution_.run(kernels(), input, weight_, bias_, tail.relu);
  }

  const WeightOrder* wanted_order(const at::Tensor& parameter) override {
    if (!parameter.is_same(weight_)) return nullptr;
    return convolution_.wanted_order(kernels(), weight_, input_spec().shape);
  }

 private:
  [[nodiscard]] at::Tensor first_weight(const BuildContext& context, at::IntArrayRef shape) const {
    const int64_t window = shape[2] * shape[3];
    if (options_.init == "fan_in_uniform")
      return fan_in_uniform(context, "weight", shape, shape[1] * window);
    const auto fan_out = static_cast<double>(shape[0] * window);
    return normal(context, "weight", shape, std::sqrt(2 / fan_out));
  }

  void require_groups(const BuildContext& context, const Spec& input, int64_t out) const {
    if (input.shape[0] % options_.groups == 0 && out % options_.groups == 0) return;
    throw_input_error(
        context, "conv2d",
        "channels, in and out, that " + std::to_string(options_.groups) + " groups share evenly",
        input, "Change groups or out_channels.");
  }

  [[nodiscard]] int64_t side(const BuildContext& context, const Spec& input, size_t axis) const {
    return window_places(context, "conv2d", input, input.shape[axis] + 2 * options_.padding,
                         options_.dilation * (options_.kernel_size - 1) + 1, options_.stride);
  }

  Conv2dOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
  Convolution convolution_;
};

}  // namespace

const Schema<Conv2dOptions>& Conv2dOptions::schema() {
  using O = Conv2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels",
                 "Channels that come out; the data's number of classes when left out.", at_least(1))
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride", "Points the window moves at a time.", at_least(1))
          .field(&O::padding, "padding", "Zeros added at every border.", at_least(0))
          .field(&O::dilation, "dilation", "Distance between the points of the window.",
                 at_least(1))
          .field(&O::groups, "groups",
                 "Parts the channels are split into, each convolved alone; as many as channels for "
                 "a depthwise convolution.",
                 at_least(1))
          .field(&O::bias, "bias", "Add a learned bias.")
          .field(
              &O::init, "init",
              "First weights: uniform by the values that come in, as PyTorch; or normal by those "
              "that go out, for a relu after it, as residual networks.",
              one_of({"fan_in_uniform", "kaiming_fan_out"}))
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty());
  return fields;
}

Choice<Layer> conv2d(Conv2dOptions options) { return choose<Layer>("conv2d", options); }

void register_conv2d(Registry<Layer>& layers) {
  layers.add<Conv2d>("conv2d", "A convolution over images [C, H, W].");
}

}  // namespace hearth::layers
