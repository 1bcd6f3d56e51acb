// The two halves that autoencoders have in common.
#include "hearth/nn/autoencoding.h"

#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/convolution/conv_transpose2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/layers/shape/reshape.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

void require_halves(const std::string& layer, const AutoencoderParts& parts, const Spec& input,
                    const BuildContext& context) {
  require_float32(context, layer, input);
  if (parts.channels.empty()) return;
  require_image(context, layer, input);
  const int64_t unit = int64_t{1} << parts.channels.size();
  if (input.shape[1] % unit == 0 && input.shape[2] % unit == 0) return;
  throw_input_error(
      context, layer,
      "sides that are multiples of " + std::to_string(unit) + ", which its convolutions can halve",
      input, "Resize or pad the image, or name fewer channels.");
}

// What the last convolution of the encoder gives; the input's own shape without any.
std::vector<int64_t> smallest_shape(const AutoencoderParts& parts, const Spec& input) {
  if (parts.channels.empty()) return input.shape;
  const auto times = static_cast<int64_t>(parts.channels.size());
  return {parts.channels.back(), input.shape[1] >> times, input.shape[2] >> times};
}

}  // namespace

Choice<Layer> encoder_of(const std::string& layer, const AutoencoderParts& parts, const Spec& input,
                         const BuildContext& context) {
  require_halves(layer, parts, input, context);
  layers::SequentialOptions all;
  for (const int64_t channels : parts.channels) {
    all.layers.push_back(
        layers::conv2d({.out_channels = channels, .kernel_size = 3, .stride = 2, .padding = 1}));
    all.layers.push_back(layers::relu());
  }
  all.layers.push_back(layers::flatten());
  for (const int64_t size : parts.hidden) {
    all.layers.push_back(layers::linear({.out_features = size}));
    all.layers.push_back(layers::relu());
  }
  return layers::sequential(all);
}

Choice<Layer> decoder_of(const AutoencoderParts& parts, const Spec& input) {
  layers::SequentialOptions all;
  for (size_t i = parts.hidden.size(); i-- > 0;) {
    all.layers.push_back(layers::linear({.out_features = parts.hidden[i]}));
    all.layers.push_back(layers::relu());
  }
  const std::vector<int64_t> shape = smallest_shape(parts, input);
  all.layers.push_back(layers::linear({.out_features = elements_of(shape)}));
  if (shape.size() > 1) all.layers.push_back(layers::reshape({.shape = shape}));
  for (size_t i = parts.channels.size(); i-- > 0;) {
    all.layers.push_back(layers::relu());
    all.layers.push_back(
        layers::conv_transpose2d({.out_channels = i > 0 ? parts.channels[i - 1] : input.shape[0],
                                  .kernel_size = 4,
                                  .stride = 2,
                                  .padding = 1}));
  }
  return layers::sequential(all);
}

}  // namespace hearth
