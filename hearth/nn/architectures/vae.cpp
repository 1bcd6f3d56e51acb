// Kingma and Welling, Auto-Encoding Variational Bayes: samples through numbers drawn around a code,
// and back. While training they are drawn, else the code is its mean.
#include "hearth/nn/architectures/vae.h"

#include "hearth/config/registry.h"
#include "hearth/nn/autoencoding.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/sample_gaussian.h"

namespace hearth::layers {
namespace {

class Vae : public Layer {
 public:
  using Options = VaeOptions;
  explicit Vae(VaeOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const AutoencoderParts parts = {options_.channels, options_.hidden};
    const Spec& input = inputs.front();
    const Choice<Layer> numbers = linear({.out_features = options_.code});
    return described(
        {"input"},
        {wired(encoder_of("vae", parts, input, context), {}, {"features"}, "encoder"),
         wired(numbers, {"features"}, {}, "mean"), wired(numbers, {"features"}, {}, "log_variance"),
         wired(sample_gaussian(), {"mean", "log_variance"}, {}, "sample"),
         wired(decoder_of(parts, input), {"sample"}, {"rebuilt"}, "decoder")},
        {"rebuilt", "mean", "log_variance"});
  }

 private:
  VaeOptions options_;
};

}  // namespace

const Schema<VaeOptions>& VaeOptions::schema() {
  static const auto fields = AutoencoderParts::fields<VaeOptions>();
  return fields;
}

Choice<Layer> vae(VaeOptions options) { return choose<Layer>("vae", options); }

void register_vae(Registry<Layer>& layers) {
  layers.add<Vae>("vae",
                  "A variational autoencoder for images or rows of numbers: gives what it rebuilt, "
                  "the means of its code and the logarithms of their variances, which kl_gaussian "
                  "takes.");
}

}  // namespace hearth::layers
