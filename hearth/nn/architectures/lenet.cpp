// LeNet, for 28x28 images and for small ones.
#include "hearth/nn/architectures/lenet.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/conv2d.h"
#include "hearth/nn/layers/flatten.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/max_pool2d.h"
#include "hearth/nn/layers/relu.h"
#include "hearth/nn/requirements.h"

namespace hearth {
namespace {

constexpr int64_t kLenetUnpaddedSide = 20;

class Lenet : public Layer {
 public:
  using Options = LenetOptions;
  explicit Lenet(LenetOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "lenet", input);
    const int64_t classes = require_classes(context, "lenet", "classes", options_.classes);
    Spec output = add_chain(layers(padding_for(input), classes), input, context);
    output.classes = classes;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return run_chain(input); }

 private:
  [[nodiscard]] int64_t padding_for(const Spec& input) const {
    const bool is_small = std::min(input.shape[1], input.shape[2]) < kLenetUnpaddedSide;
    return options_.padding.value_or(is_small ? options_.kernel / 2 : 0);
  }

  // relu after pooling gives the same values as before it, on a quarter of them.
  [[nodiscard]] std::vector<std::pair<std::string, Choice<Layer>>> layers(int64_t padding,
                                                                          int64_t classes) const {
    std::vector<std::pair<std::string, Choice<Layer>>> chain;
    for (size_t i = 0; i < options_.channels.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      chain.emplace_back("conv" + number, conv2d({.out_channels = options_.channels[i],
                                                  .kernel_size = options_.kernel,
                                                  .padding = padding}));
      chain.emplace_back("pool" + number, max_pool2d());
      chain.emplace_back("relu" + number, relu());
    }
    chain.emplace_back("flatten", flatten());
    chain.emplace_back("hidden", linear({.out_features = options_.hidden}));
    chain.emplace_back("relu", relu());
    chain.emplace_back("output", linear({.out_features = classes}));
    return chain;
  }

  LenetOptions options_;
};

}  // namespace

const Schema<LenetOptions>& LenetOptions::schema() {
  using O = LenetOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::channels, "channels", "Channels of each convolution.", not_empty())
          .field(&O::hidden, "hidden", "Size of the hidden layer.", at_least(1))
          .field(&O::kernel, "kernel", "Side of the convolutions' windows.", at_least(1))
          .field(&O::padding, "padding",
                 "Zeros at every border of the convolutions. Left out: 0 for images of at least 20 "
                 "points a side, half the kernel for smaller ones.",
                 at_least(0))
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .check("channels: every number must be at least 1.", [](const O& options) {
            return std::all_of(options.channels.begin(), options.channels.end(),
                               [](int64_t count) { return count >= 1; });
          });
  return fields;
}

Choice<Layer> lenet(LenetOptions options) { return choose<Layer>("lenet", options); }

void register_lenet(Registry<Layer>& layers) {
  layers.add<Lenet>("lenet", "LeNet: two convolutions and two linear layers, for small images.");
}

}  // namespace hearth
