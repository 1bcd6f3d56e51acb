// LeNet, for 28x28 images and for small ones.
#include "hearth/nn/architectures/lenet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr int64_t kLenetUnpaddedSide = 20;

class Lenet : public Layer {
 public:
  using Options = LenetOptions;
  explicit Lenet(LenetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "lenet", inputs.front());
    const int64_t classes =
        require_classes(context, {"lenet", "classes", options_.classes, options_.classes_of});
    return chain(layers(padding_for(inputs.front()), classes), classes);
  }

 private:
  [[nodiscard]] int64_t padding_for(const Spec& input) const {
    const bool is_small = std::min(input.shape[1], input.shape[2]) < kLenetUnpaddedSide;
    return options_.padding.value_or(is_small ? options_.kernel / 2 : 0);
  }

  // relu after pooling gives the same values as before it, on a quarter of them.
  [[nodiscard]] NamedLayers layers(int64_t padding, int64_t classes) const {
    NamedLayers all;
    for (size_t i = 0; i < options_.channels.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      all.emplace_back("conv" + number, conv2d({.out_channels = options_.channels[i],
                                                .kernel_size = options_.kernel,
                                                .padding = padding}));
      all.emplace_back("pool" + number, max_pool2d());
      all.emplace_back("relu" + number, relu());
    }
    all.emplace_back("flatten", flatten());
    all.emplace_back("hidden", linear({.out_features = options_.hidden}));
    all.emplace_back("relu", relu());
    all.emplace_back("output", linear({.out_features = classes}));
    return all;
  }

  LenetOptions options_;
};

}  // namespace

const Schema<LenetOptions>& LenetOptions::schema() {
  using O = LenetOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::channels, "channels", "Channels of each convolution.", not_empty(),
                 at_least(1))
          .field(&O::hidden, "hidden", "Size of the hidden layer.", at_least(1))
          .field(&O::kernel, "kernel", "Side of the convolutions' windows.", at_least(1))
          .field(&O::padding, "padding",
                 "Zeros at every border of the convolutions. Left out: 0 for images of at least 20 "
                 "points a side, half the kernel for smaller ones.",
                 at_least(0))
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty());
  return fields;
}

Choice<Layer> lenet(LenetOptions options) { return choose<Layer>("lenet", options); }

void register_lenet(Registry<Layer>& layers) {
  layers.add<Lenet>("lenet", "LeNet: two convolutions and two linear layers, for small images.");
}

}  // namespace hearth::layers
