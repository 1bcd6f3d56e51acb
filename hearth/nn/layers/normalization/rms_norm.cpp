// The last dimension divided by its root mean square.
#include "hearth/nn/layers/normalization/rms_norm.h"

#include <ATen/ops/rsqrt.h>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class RmsNorm : public Layer {
 public:
  using Options = RmsNormOptions;
  explicit RmsNorm(RmsNormOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    if (input.shape.empty()) {
      throw_input_error(context, "rms_norm", "features [F] or more dimensions", input,
                        "Leave it out.");
    }
    require_float32(context, "rms_norm", input);
    weight_ = add_parameter("weight", filled(context, "weight", {input.shape.back()}, 1));
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor mean_square = input.square().mean(-1, /*keepdim=*/true);
    return input.mul(at::rsqrt(mean_square.add(options_.eps))).mul(weight_);
  }

 private:
  RmsNormOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<RmsNormOptions>& RmsNormOptions::schema() {
  using O = RmsNormOptions;
  static const auto fields = Schema<O>().field(
      &O::eps, "eps", "Added to the mean square, so that nothing is divided by zero.", above(0));
  return fields;
}

Choice<Layer> rms_norm(RmsNormOptions options) { return choose<Layer>("rms_norm", options); }

void register_rms_norm(Registry<Layer>& layers) {
  layers.add<RmsNorm>("rms_norm",
                      "The last dimension divided by its root mean square, then scaled.");
}

}  // namespace hearth::layers
