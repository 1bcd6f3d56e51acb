// The largest value of each window of an image.
#include "hearth/nn/layers/pooling/max_pool2d.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/pooling/max_pool.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class MaxPool2d : public Layer {
 public:
  using Options = MaxPool2dOptions;
  explicit MaxPool2d(MaxPool2dOptions options)
      : shape_{options.kernel_size, options.stride.value_or(options.kernel_size), options.padding} {
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "max_pool2d", input);
    Spec output;
    output.shape = {input.shape[0]};
    for (const size_t axis : {1U, 2U}) {
      output.shape.push_back(window_places(context, "max_pool2d", input,
                                           input.shape[axis] + 2 * shape_.padding, shape_.kernel,
                                           shape_.stride));
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    if (tail.addend.defined()) return Layer::forward(input, tail);
    return max_pool(kernels(), input, shape_, tail.relu);
  }

 private:
  PoolShape shape_;
};

}  // namespace

const Schema<MaxPool2dOptions>& MaxPool2dOptions::schema() {
  using O = MaxPool2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time; kernel_size when left out.", at_least(1))
          .field(&O::padding, "padding", "Points added at every border, never the largest.",
                 at_least(0))
          .check("padding must be at most half of kernel_size.",
                 [](const O& options) { return 2 * options.padding <= options.kernel_size; });
  return fields;
}

Choice<Layer> max_pool2d(MaxPool2dOptions options) { return choose<Layer>("max_pool2d", options); }

void register_max_pool2d(Registry<Layer>& layers) {
  layers.add<MaxPool2d>("max_pool2d", "The largest value of each window of an image [C, H, W].");
}

}  // namespace hearth::layers
