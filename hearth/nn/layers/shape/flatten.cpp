// All values of a sample in one row.
#include "hearth/nn/layers/shape/flatten.h"

#include <ATen/ops/flatten.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Flatten : public Layer {
 public:
  using Options = FlattenOptions;
  explicit Flatten(FlattenOptions) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    if (input.shape.empty()) {
      throw_input_error(context, "flatten", "at least one dimension besides the batch", input,
                        "Leave it out.");
    }
    Spec output;
    output.dtype = input.dtype;
    output.shape = {input.elements()};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return at::flatten(input, 1); }
};

}  // namespace

const Schema<FlattenOptions>& FlattenOptions::schema() {
  static const Schema<FlattenOptions> fields;
  return fields;
}

Choice<Layer> flatten(FlattenOptions options) { return choose<Layer>("flatten", options); }

void register_flatten(Registry<Layer>& layers) {
  layers.add<Flatten>("flatten", "All values of a sample in one row: [C, H, W] becomes [C*H*W].");
}

}  // namespace hearth::layers
