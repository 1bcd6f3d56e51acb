// A network of five convolutions and three linear layers; children are named as in torchvision.
#include "hearth/nn/architectures/alexnet.h"

#include "hearth/config/registry.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth::layers {
namespace {

class Alexnet : public Layer {
 public:
  using Options = AlexnetOptions;
  explicit Alexnet(AlexnetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "alexnet", inputs.front(), options_);
    return chain({{"features", features()},
                  {"avgpool", adaptive_average_pool2d({.size = 6})},
                  {"flatten", flatten()},
                  {"classifier", scores(classes)}},
                 classes);
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return scaled_channels(channels, options_.width_mult);
  }

  [[nodiscard]] Choice<Layer> features() const {
    const auto pool = max_pool2d({.kernel_size = 3, .stride = 2});
    const auto window = [&](int64_t channels, int64_t kernel_size) {
      return conv2d(
          {.out_channels = wide(channels), .kernel_size = kernel_size, .padding = kernel_size / 2});
    };
    const auto first =
        conv2d({.out_channels = wide(64), .kernel_size = 11, .stride = 4, .padding = 2});
    return sequential({{first, relu(), pool, window(192, 5), relu(), pool, window(384, 3), relu(),
                        window(256, 3), relu(), window(256, 3), relu(), pool}});
  }

  [[nodiscard]] Choice<Layer> scores(int64_t classes) const {
    const auto drop = dropout({.p = options_.dropout});
    const auto hidden = linear({.out_features = wide(4096)});
    return sequential(
        {{drop, hidden, relu(), drop, hidden, relu(), linear({.out_features = classes})}});
  }

  AlexnetOptions options_;
};

}  // namespace

const Schema<AlexnetOptions>& AlexnetOptions::schema() {
  using O = AlexnetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::dropout, "dropout",
                 "Share of values that become zero before the first two linear layers.",
                 at_least(0), below(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor());
  return fields;
}

Choice<Layer> alexnet(AlexnetOptions options) { return choose<Layer>("alexnet", options); }

void register_alexnet(Registry<Layer>& layers) {
  layers.add<Alexnet>("alexnet",
                      "Five convolutions and three linear layers, for images of 63 points a side "
                      "or more.");
}

}  // namespace hearth::layers
