// A layer with a small network after it, added to what it gives.
#include "hearth/nn/layers/composition/adapter.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/activation/activation_values.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Adapter : public Layer {
 public:
  using Options = AdapterOptions;
  explicit Adapter(AdapterOptions options) : options_(std::move(options)) {}

  [[nodiscard]] double work() const override {
    const Spec& output = output_spec();
    const auto rows = static_cast<double>(output.elements() / output.shape.back());
    return rows * static_cast<double>(2 * down_.numel());
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    inner_ = add_child("", wrapped_layer(context, "adapter", options_.layer), input, context);
    const Spec output = inner_->output_spec();
    if (output.shape.empty() || output.shape.size() > 2)
      throw_input_error(context, "adapter",
                        "a layer inside that gives features [F] or a sequence of them [T, F]",
                        output, "Put it around linear or attention layers.");
    const int64_t width = output.shape.back();
    down_ = add_parameter("adapter_down",
                          fan_in_uniform(context, "adapter_down", {options_.size, width}, width));
    down_bias_ = add_parameter("adapter_down_bias",
                               filled(context, "adapter_down_bias", {options_.size}, 0));
    up_ = add_parameter("adapter_up", filled(context, "adapter_up", {width, options_.size}, 0));
    up_bias_ = add_parameter("adapter_up_bias", filled(context, "adapter_up_bias", {width}, 0));
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor value = (*inner_)(input);
    const at::Tensor small =
        gelu_values(kernels(), linear_product(kernels(), value, down_, down_bias_), "none");
    return linear_product(kernels(), small, up_, up_bias_, value);
  }

 private:
  AdapterOptions options_;
  Layer* inner_ = nullptr;
  at::Tensor down_;
  at::Tensor down_bias_;
  at::Tensor up_;
  at::Tensor up_bias_;
};

}  // namespace

const Schema<AdapterOptions>& AdapterOptions::schema() {
  using O = AdapterOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer, "layer", "The layer whose values it changes; the edit `wrap` gives it.")
          .field(&O::size, "size", "Values in the middle of the small network.", at_least(1));
  return fields;
}

Choice<Layer> adapter(AdapterOptions options) { return choose<Layer>("adapter", options); }

void register_adapter(Registry<Layer>& layers) {
  layers.add<Adapter>("adapter",
                      "A layer with a narrow network of two layers after it, added to what it "
                      "gives; at first it adds nothing.");
}

}  // namespace hearth::layers
