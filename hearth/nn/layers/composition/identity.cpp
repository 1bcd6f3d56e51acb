// What comes in, as it is.
#include "hearth/nn/layers/composition/identity.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"

namespace hearth::layers {
namespace {

class Identity : public Layer {
 protected:
  Spec prepare(const Spec& input, const BuildContext&) override { return input; }
  at::Tensor forward(const at::Tensor& input) override { return input; }
};

}  // namespace

Choice<Layer> identity() { return {"identity", Node::map()}; }

void register_identity(Registry<Layer>& layers) {
  layers.add("identity", "What comes in, as it is: for a place that may be left empty.",
             [] { return std::make_unique<Identity>(); });
}

}  // namespace hearth::layers
