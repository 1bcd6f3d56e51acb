// Numbers drawn from normal distributions while training, the mean and noise times the deviation,
// so that gradients flow to both.
#include "hearth/nn/layers/regularization/sample_gaussian.h"

#include <ATen/ops/empty_like.h>

#include "hearth/base/error.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/pointwise.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class SampleGaussian : public Layer {
 public:
  using Options = SampleGaussianOptions;
  explicit SampleGaussian(SampleGaussianOptions) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    if (inputs.size() != 2 || inputs[0].shape != inputs[1].shape)
      throw GraphError(context.path +
                       " sample_gaussian: takes two values of one shape, means and " +
                       "logarithms of variances. Write in: [mean, log_variance].");
    for (const Spec& input : inputs) require_float32(context, "sample_gaussian", input);
    Spec output;
    output.shape = inputs[0].shape;
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    if (!is_training()) {
      outputs[0] = inputs[0];
      return;
    }
    const at::Tensor noise = at::empty_like(inputs[0]).normal_(0, 1, random_generator());
    outputs[0] = inputs[0].add(inputs[1].mul(0.5).exp().mul(noise));
  }
};

}  // namespace

const Schema<SampleGaussianOptions>& SampleGaussianOptions::schema() {
  return no_fields<SampleGaussianOptions>();
}

Choice<Layer> sample_gaussian(SampleGaussianOptions options) {
  return choose<Layer>("sample_gaussian", options);
}

void register_sample_gaussian(Registry<Layer>& layers) {
  layers.add<SampleGaussian>("sample_gaussian",
                             "Numbers drawn from normal distributions, given by means and "
                             "logarithms of variances, while training; else the means.");
}

}  // namespace hearth::layers
