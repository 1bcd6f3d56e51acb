// An autoencoder: samples through a few numbers, the code, and back.
#include "hearth/nn/architectures/autoencoder.h"

#include "hearth/config/registry.h"
#include "hearth/nn/autoencoding.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/linear.h"

namespace hearth::layers {
namespace {

class Autoencoder : public Layer {
 public:
  using Options = AutoencoderOptions;
  explicit Autoencoder(AutoencoderOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const AutoencoderParts parts = {options_.channels, options_.hidden};
    const Spec& input = inputs.front();
    return described({"input"},
                     {named(encoder_of("autoencoder", parts, input, context), "encoder"),
                      named(linear({.out_features = options_.code}), "code"),
                      wired(decoder_of(parts, input), {}, {"rebuilt"}, "decoder")},
                     {"rebuilt", "code"});
  }

 private:
  AutoencoderOptions options_;
};

}  // namespace

const Schema<AutoencoderOptions>& AutoencoderOptions::schema() {
  static const auto fields = AutoencoderParts::fields<AutoencoderOptions>();
  return fields;
}

Choice<Layer> autoencoder(AutoencoderOptions options) {
  return choose<Layer>("autoencoder", options);
}

void register_autoencoder(Registry<Layer>& layers) {
  layers.add<Autoencoder>("autoencoder",
                          "An autoencoder for images or rows of numbers: gives what it rebuilt, in "
                          "the input's shape, and the code.");
}

}  // namespace hearth::layers
