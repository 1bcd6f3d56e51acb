// The values of a sample in another shape.
#include "hearth/nn/layers/shape/reshape.h"

#include <ATen/ops/reshape.h>

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Reshape : public Layer {
 public:
  using Options = ReshapeOptions;
  explicit Reshape(ReshapeOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Spec output;
    output.dtype = input.dtype;
    output.shape = options_.shape;
    const auto open = std::find(output.shape.begin(), output.shape.end(), -1);
    if (open != output.shape.end()) *open = 1;
    const int64_t known = elements_of(output.shape);
    const int64_t values = input.elements();
    const bool fits = open == output.shape.end() ? values == known : values % known == 0;
    if (!fits || input.is_per_batch)
      throw_input_error(context, "reshape",
                        "as many values as " + shape_text(options_.shape) + " has", input,
                        "Change the shape, or let one length be -1: whatever is left.");
    if (open != output.shape.end()) *open = values / known;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    std::vector<int64_t> sizes = options_.shape;
    // A batch without samples says nothing about what is left.
    const auto open = std::find(sizes.begin(), sizes.end(), -1);
    if (open != sizes.end()) {
      *open = 1;
      *open = c10::multiply_integers(input.sizes().slice(1)) / c10::multiply_integers(sizes);
    }
    sizes.insert(sizes.begin(), input.size(0));
    return at::reshape(input, sizes);
  }

 private:
  ReshapeOptions options_;
};

}  // namespace

const Schema<ReshapeOptions>& ReshapeOptions::schema() {
  using O = ReshapeOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::shape, "shape",
                 "Lengths without the batch; one of them may be -1, for whatever is left.",
                 required(), not_empty(), at_least(-1))
          .check("reshape: at most one length may be -1, and none 0.", [](const O& options) {
            return std::count(options.shape.begin(), options.shape.end(), -1) <= 1 &&
                   std::count(options.shape.begin(), options.shape.end(), 0) == 0;
          });
  return fields;
}

Choice<Layer> reshape(ReshapeOptions options) { return choose<Layer>("reshape", options); }

void register_reshape(Registry<Layer>& layers) {
  layers.add<Reshape>("reshape", "The values of a sample in another shape.");
}

}  // namespace hearth::layers
