// A relu whose slope below zero is learned.
#include "hearth/nn/layers/activation/prelu.h"

#include <ATen/ops/where.h>

#include "hearth/nn/along_axis.h"
#include "hearth/nn/init.h"

namespace hearth::layers {
namespace {

class Prelu : public Layer {
 public:
  using Options = PreluOptions;
  explicit Prelu(PreluOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Spec output = float_values_like(context, "prelu", input);
    const size_t axis = require_axis(context, "prelu", input, {});
    const int64_t slopes = options_.per_channel ? input.shape[axis] : 1;
    weight_ = add_parameter("weight", filled(context, "weight", {slopes}, options_.first));
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    // One for each channel lies along the channels, wherever they stand.
    std::vector<int64_t> along(static_cast<size_t>(input.dim()), 1);
    along[static_cast<size_t>(batch_dim(input))] = weight_.numel();
    return at::where(input.gt(0), input, input.mul(weight_.view(along)));
  }

 private:
  PreluOptions options_;
  at::Tensor weight_;
};

}  // namespace

const Schema<PreluOptions>& PreluOptions::schema() {
  using O = PreluOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::per_channel, "per_channel",
                 "A slope for each channel of images, or feature of others, instead of one.")
          .field(&O::first, "first", "The slope to begin with.");
  return fields;
}

Choice<Layer> prelu(PreluOptions options) { return choose<Layer>("prelu", options); }

void register_prelu(Registry<Layer>& layers) {
  layers.add<Prelu>("prelu", "A relu that keeps a learned share of negative values.");
}

}  // namespace hearth::layers
