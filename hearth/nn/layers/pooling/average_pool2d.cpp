// The mean of each window of an image.
#include "hearth/nn/layers/pooling/average_pool2d.h"

#include <ATen/ops/avg_pool2d.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class AveragePool2d : public Layer {
 public:
  using Options = AveragePool2dOptions;
  explicit AveragePool2d(AveragePool2dOptions options)
      : options_(options), stride_(options.stride.value_or(options.kernel_size)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "average_pool2d", input);
    Spec output;
    output.shape = {input.shape[0]};
    for (const size_t axis : {1U, 2U}) {
      output.shape.push_back(window_places(context, "average_pool2d", input,
                                           input.shape[axis] + 2 * options_.padding,
                                           options_.kernel_size, stride_));
    }
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return at::avg_pool2d(input, options_.kernel_size, stride_, options_.padding);
  }

 private:
  AveragePool2dOptions options_;
  int64_t stride_;
};

}  // namespace

const Schema<AveragePool2dOptions>& AveragePool2dOptions::schema() {
  using O = AveragePool2dOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time; kernel_size when left out.", at_least(1))
          .field(&O::padding, "padding", "Zeros added at every border; they count in the mean.",
                 at_least(0))
          .check("padding must be at most half of kernel_size.",
                 [](const O& options) { return 2 * options.padding <= options.kernel_size; });
  return fields;
}

Choice<Layer> average_pool2d(AveragePool2dOptions options) {
  return choose<Layer>("average_pool2d", options);
}

void register_average_pool2d(Registry<Layer>& layers) {
  layers.add<AveragePool2d>("average_pool2d", "The mean of each window of an image [C, H, W].");
}

}  // namespace hearth::layers
