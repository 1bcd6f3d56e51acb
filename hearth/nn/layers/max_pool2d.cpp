// The largest value of each window of an image.
#include "hearth/nn/layers/max_pool2d.h"

#include <ATen/ops/max_pool2d.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

class MaxPool2d : public Layer {
 public:
  using Options = MaxPool2dOptions;
  explicit MaxPool2d(MaxPool2dOptions options)
      : kernel_(options.kernel_size), stride_(options.stride.value_or(options.kernel_size)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "max_pool2d", input);
    Spec output;
    output.shape = {input.shape[0]};
    for (const size_t axis : {1U, 2U}) {
      output.shape.push_back(
          window_places(context, "max_pool2d", input, input.shape[axis], kernel_, stride_));
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return at::max_pool2d(input, kernel_, stride_);
  }

 private:
  int64_t kernel_;
  int64_t stride_;
};

}  // namespace

const Schema<MaxPool2dOptions>& MaxPool2dOptions::schema() {
  using O = MaxPool2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time; kernel_size when left out.", at_least(1));
  return fields;
}

Choice<Layer> max_pool2d(MaxPool2dOptions options) { return choose<Layer>("max_pool2d", options); }

void register_max_pool2d(Registry<Layer>& layers) {
  layers.add<MaxPool2d>("max_pool2d", "The largest value of each window of an image [C, H, W].");
}

}  // namespace hearth
