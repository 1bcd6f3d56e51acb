// Makes values zero at random while training.
#include "hearth/nn/layers/regularization/dropout.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/dropout/dropout.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Dropout : public Layer {
 public:
  using Options = DropoutOptions;
  explicit Dropout(DropoutOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_float32(context, "dropout", input);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return is_training() ? drop_values(kernels(), input, options_.p) : input;
  }

 private:
  DropoutOptions options_;
};

}  // namespace

const Schema<DropoutOptions>& DropoutOptions::schema() {
  using O = DropoutOptions;
  static const auto fields =
      Schema<O>().field(&O::p, "p", "Share of values that become zero.", at_least(0), below(1));
  return fields;
}

Choice<Layer> dropout(DropoutOptions options) { return choose<Layer>("dropout", options); }

void register_dropout(Registry<Layer>& layers) {
  layers.add<Dropout>("dropout", "Makes values zero at random while training.");
}

}  // namespace hearth::layers
