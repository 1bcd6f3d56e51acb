// The largest value of every channel of an image.
#include "hearth/nn/layers/pooling/global_max_pool.h"

#include <ATen/ops/adaptive_max_pool2d.h>
#include <tuple>

#include "hearth/config/registry.h"
#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

class GlobalMaxPool : public Layer {
 public:
  using Options = GlobalMaxPoolOptions;
  explicit GlobalMaxPool(GlobalMaxPoolOptions) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "global_max_pool", input);
    Spec output;
    output.shape = {input.shape[0]};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return std::get<0>(at::adaptive_max_pool2d(input, {1, 1})).flatten(1);
  }
};

}  // namespace

const Schema<GlobalMaxPoolOptions>& GlobalMaxPoolOptions::schema() {
  return no_fields<GlobalMaxPoolOptions>();
}

Choice<Layer> global_max_pool(GlobalMaxPoolOptions options) {
  return choose<Layer>("global_max_pool", options);
}

void register_global_max_pool(Registry<Layer>& layers) {
  layers.add<GlobalMaxPool>("global_max_pool",
                            "The largest value of every channel: [C, H, W] becomes [C].");
}

}  // namespace hearth::layers
