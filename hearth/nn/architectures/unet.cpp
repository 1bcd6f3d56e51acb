// Ronneberger et al., U-Net, with padding and batch norm as it is usual by now: the size is kept.
// Children are named as in the PyTorch-UNet that many weights are of.
#include "hearth/nn/architectures/unet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/unet_down.h"
#include "hearth/nn/blocks/unet_up.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/unet.h"

namespace hearth::layers {
namespace {

class Unet : public Layer {
 public:
  using Options = UnetOptions;
  explicit Unet(UnetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "unet", inputs.front());
    require_sides(context, inputs.front());
    const int64_t classes =
        require_classes(context, {"unet", "classes", options_.classes, options_.classes_of});
    const Choice<Layer> scores = conv2d({.out_channels = classes, .kernel_size = 1});
    std::vector<Choice<Layer>> nodes = {
        wired(double_convolution(options_.width, options_.width), {"image"}, {}, "inc")};
    for (int64_t i = 1; i <= options_.depth; ++i)
      nodes.push_back(named(unet_down({.out_channels = down_channels(i)}), name_of("down", i)));
    for (int64_t i = 1; i <= options_.depth; ++i) {
      const std::string below = i == 1 ? name_of("down", options_.depth) : name_of("up", i - 1);
      nodes.push_back(
          wired(up_stage(i), {below, name_of("down", options_.depth - i)}, {}, name_of("up", i)));
    }
    nodes.push_back(named(sequential({{named(scores, "conv")}}), "outc"));
    Description description = described({"image"}, nodes);
    description.classes = classes;
    return description;
  }

 private:
  static std::string name_of(const std::string& way, int64_t stage) {
    return stage == 0 ? "inc" : way + std::to_string(stage);
  }
  [[nodiscard]] bool is_learned() const { return options_.up == "transposed"; }
  // A learned way up halves the channels; without one the deepest stage has half as many.
  [[nodiscard]] int64_t down_channels(int64_t stage) const {
    const int64_t channels = options_.width << stage;
    return stage == options_.depth && !is_learned() ? channels / 2 : channels;
  }
  [[nodiscard]] Choice<Layer> up_stage(int64_t number) const {
    const int64_t channels = options_.width << (options_.depth - number);
    if (is_learned()) return unet_up({.out_channels = channels});
    const bool is_last = number == options_.depth;
    return unet_up({.out_channels = is_last ? channels : channels / 2,
                    .middle_channels = channels,
                    .up = options_.up});
  }

  void require_sides(const BuildContext& context, const Spec& input) const {
    const int64_t unit = int64_t{1} << options_.depth;
    const bool fits = input.shape[1] % unit == 0 && input.shape[2] % unit == 0;
    if (fits || (!is_learned() && std::min(input.shape[1], input.shape[2]) >= unit)) return;
    throw_input_error(context, "unet",
                      "sides that are multiples of " + std::to_string(unit) +
                          ", which can be halved " + std::to_string(options_.depth) + " times",
                      input, "Resize or pad the image, use a smaller depth, or up: bilinear.");
  }

  UnetOptions options_;
};

}  // namespace

const Schema<UnetOptions>& UnetOptions::schema() {
  using O = UnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::depth, "depth", "How many times the size is halved.", at_least(1), at_most(8))
          .field(&O::width, "width",
                 "Channels of the first stage; each further one has twice as many.", at_least(2))
          .field(&O::up, "up",
                 "How sizes grow again: `transposed`, by learned convolutions; `nearest` or "
                 "`bilinear` without them.",
                 one_of({"transposed", "nearest", "bilinear"}));
  return fields;
}

Choice<Layer> unet(UnetOptions options) { return choose<Layer>("unet", options); }

void register_unet(Registry<Layer>& layers) {
  layers.add<Unet>("unet",
                   "A U-Net: scores for each point of an image, by stages that halve its size and "
                   "stages that double it again beside what was there before.");
}

}  // namespace hearth::layers
