// The sum of several values of one shape.
#include "hearth/nn/layers/composition/add.h"

#include <ATen/ops/add.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/pointwise.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Add : public Layer {
 public:
  using Options = AddOptions;
  explicit Add(AddOptions) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    for (const Spec& input : inputs) {
      require_float32(context, "add", input);
      if (input.shape == inputs.front().shape) continue;
      throw GraphError(
          context.path + " add: needs values of one shape, but got " + inputs.front().text() +
          " and " + input.text() +
          ". Bring one into the other's shape, for instance with conv2d or upsample2d.");
    }
    Spec output;
    output.shape = inputs.front().shape;
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    at::Tensor sum = inputs[0];
    for (const at::Tensor& input : inputs.subspan(1)) sum = at::add(sum, input);
    outputs[0] = sum;
  }
};

}  // namespace

const Schema<AddOptions>& AddOptions::schema() { return no_fields<AddOptions>(); }

Choice<Layer> add(AddOptions options) { return choose<Layer>("add", options); }

void register_add(Registry<Layer>& layers) {
  layers.add<Add>("add", "The sum of several values of one shape.");
}

}  // namespace hearth::layers
