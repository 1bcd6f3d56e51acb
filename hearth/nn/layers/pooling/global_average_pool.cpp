// The mean of every channel of an image.
#include "hearth/nn/layers/pooling/global_average_pool.h"

#include <ATen/ops/mean.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class GlobalAveragePool : public Layer {
 public:
  using Options = GlobalAveragePoolOptions;
  explicit GlobalAveragePool(GlobalAveragePoolOptions) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "global_average_pool", input);
    Spec output;
    output.shape = {input.shape[0]};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return at::mean(input, at::IntArrayRef({2, 3}));
  }
};

}  // namespace

const Schema<GlobalAveragePoolOptions>& GlobalAveragePoolOptions::schema() {
  static const Schema<GlobalAveragePoolOptions> fields;
  return fields;
}

Choice<Layer> global_average_pool(GlobalAveragePoolOptions options) {
  return choose<Layer>("global_average_pool", options);
}

void register_global_average_pool(Registry<Layer>& layers) {
  layers.add<GlobalAveragePool>("global_average_pool",
                                "The mean of every channel: [C, H, W] becomes [C].");
}

}  // namespace hearth::layers
