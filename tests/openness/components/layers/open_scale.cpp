// One parameter, which multiplies all values.
#include "layers/open_scale.h"

#include <ATen/ops/full.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class OpenScale : public Layer {
 public:
  using Options = OpenScaleOptions;
  explicit OpenScale(Options options) : options_(options) {}

 protected:
  // Makes the parameters, and says what comes out: here, the same shape.
  Spec prepare(const Spec& input, const BuildContext&) override {
    scale_ = add_parameter("scale", at::full({1}, options_.scale));
    return input;
  }

  at::Tensor forward(const at::Tensor& input) override { return input.mul(scale_); }

 private:
  Options options_;
  at::Tensor scale_;
};

}  // namespace

const Schema<OpenScaleOptions>& OpenScaleOptions::schema() {
  using O = OpenScaleOptions;
  static const auto schema =
      Schema<O>().field(&O::scale, "scale", "First value of the learned factor.");
  return schema;
}

Choice<Layer> open_scale(OpenScaleOptions options) { return choose<Layer>("open_scale", options); }

void register_open_scale(Registry<Layer>& registry) {
  registry.add<OpenScale>("open_scale", "Multiplies by a learned factor.");
}

}  // namespace hearth::layers
