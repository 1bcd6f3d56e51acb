// A linear layer.
#include "hearth/nn/layers/linear.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Linear : public Layer {
 public:
  using Options = LinearOptions;
  explicit Linear(LinearOptions options) : options_(std::move(options)) {}

  [[nodiscard]] double work() const override {
    const Spec& input = input_spec();
    const auto rows = static_cast<double>(input.elements() / input.shape.back());
    return rows * static_cast<double>(weight_.numel());
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    if (input.shape.empty() || input.shape.size() > 2) {
      throw_input_error(context, "linear", "features [F] or a sequence of them [T, F]", input,
                        "Put flatten before it.");
    }
    require_float32(context, "linear", input);
    const int64_t in = input.shape.back();
    const int64_t out = require_classes(
        context, {"linear", "out_features", options_.out_features, options_.classes_of});
    weight_ = add_parameter("weight", fan_in_uniform(context, "weight", {out, in}, in));
    if (options_.bias) bias_ = add_parameter("bias", fan_in_uniform(context, "bias", {out}, in));
    return output_of(input, out);
  }

  at::Tensor forward(const at::Tensor& input) override { return forward(input, {}); }

  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return linear_product(kernels(), input, weight_, bias_, tail.addend, tail.relu);
  }

 private:
  [[nodiscard]] Spec output_of(const Spec& input, int64_t out) const {
    Spec output;
    output.shape = input.shape;
    output.shape.back() = out;
    if (!options_.out_features) output.classes = out;
    return output;
  }

  LinearOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace

const Schema<LinearOptions>& LinearOptions::schema() {
  using O = LinearOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_features, "out_features",
                 "Values that come out; the data's number of classes when left out.", at_least(1))
          .field(&O::bias, "bias", "Add a learned bias.")
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty());
  return fields;
}

Choice<Layer> linear(LinearOptions options) { return choose<Layer>("linear", options); }

void register_linear(Registry<Layer>& layers) {
  layers.add<Linear>("linear", "A weighted sum of all features, over the last dimension.");
}

}  // namespace hearth::layers
