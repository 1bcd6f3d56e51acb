// Every channel of an image times a fixed number, plus another.
#include "hearth/nn/layers/shape/channel_affine.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/tensor.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class ChannelAffine : public Layer {
 public:
  using Options = ChannelAffineOptions;
  explicit ChannelAffine(ChannelAffineOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "channel_affine", input);
    const size_t channels = options_.scale.size();
    if (input.shape[0] != static_cast<int64_t>(channels))
      throw_input_error(context, "channel_affine",
                        "as many channels as numbers, " + std::to_string(channels), input,
                        "Give a scale and a shift for each channel.");
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return at::addcmul(numbers(options_.shift, input), input, numbers(options_.scale, input));
  }

 private:
  [[nodiscard]] static at::Tensor numbers(const std::vector<double>& values,
                                          const at::Tensor& beside) {
    return at::tensor(values, at::kDouble).to(beside.options()).reshape({-1, 1, 1});
  }

  ChannelAffineOptions options_;
};

}  // namespace

const Schema<ChannelAffineOptions>& ChannelAffineOptions::schema() {
  using O = ChannelAffineOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::scale, "scale", "What each channel is multiplied by.", required(), not_empty())
          .field(&O::shift, "shift", "What is added to each channel then.", required(), not_empty())
          .check("scale and shift must have a number for each channel.",
                 [](const O& options) { return options.scale.size() == options.shift.size(); });
  return fields;
}

Choice<Layer> channel_affine(ChannelAffineOptions options) {
  return choose<Layer>("channel_affine", options);
}

void register_channel_affine(Registry<Layer>& layers) {
  layers.add<ChannelAffine>("channel_affine",
                            "Every channel of an image times a fixed number, plus another.");
}

}  // namespace hearth::layers
