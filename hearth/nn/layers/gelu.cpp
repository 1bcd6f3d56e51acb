// x times the share of a normal distribution below x, value by value.
#include "hearth/nn/layers/gelu.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/gelu.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

class Gelu : public Layer {
 public:
  using Options = GeluOptions;
  explicit Gelu(GeluOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_float32(context, "gelu", input);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return gelu_values(kernels(), input, options_.approximate);
  }

 private:
  GeluOptions options_;
};

}  // namespace

const Schema<GeluOptions>& GeluOptions::schema() {
  using O = GeluOptions;
  static const auto fields = Schema<O>().field(
      &O::approximate, "approximate", "The exact function, or the one by tanh that GPT-2 used.",
      one_of({"none", "tanh"}));
  return fields;
}

Choice<Layer> gelu(GeluOptions options) { return choose<Layer>("gelu", options); }

void register_gelu(Registry<Layer>& layers) {
  layers.add<Gelu>("gelu", "A smooth relu: x times the share of a normal distribution below x.");
}

}  // namespace hearth
