// Sees an image's surroundings at several distances at once; children are named as in torchvision's
// ASPP.
#include "hearth/nn/blocks/aspp.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/resize_like.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Aspp : public Layer {
 public:
  using Options = AsppOptions;
  explicit Aspp(AsppOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "aspp", inputs.front());
    std::vector<std::string> seen;
    for (size_t i = 0; i < options_.rates.size() + 2; ++i) seen.push_back(std::to_string(i));
    return described({"input"}, {wired(views(), {"input"}, seen, "convs"),
                                 wired(concat(), seen, {}, "all"), named(project(), "project")});
  }

 private:
  // The points by themselves, windows of each distance, and the image as a whole.
  [[nodiscard]] Choice<Layer> views() const {
    const int64_t out = options_.out_channels;
    GraphOptions all;
    const auto add_view = [&](const Choice<Layer>& view) {
      all.nodes.push_back(wired(view, {"input"}, {}, std::to_string(all.nodes.size())));
    };
    add_view(conv_norm_activation({.out_channels = out, .kernel_size = 1}));
    for (const int64_t rate : options_.rates)
      add_view(conv_norm_activation({.out_channels = out, .dilation = rate}));
    add_view(whole());
    return graph(all);
  }

  [[nodiscard]] Choice<Layer> whole() const {
    GraphOptions all;
    all.nodes = {adaptive_average_pool2d({.size = 1}),
                 conv2d({.out_channels = options_.out_channels, .kernel_size = 1, .bias = false}),
                 batch_norm2d(), relu(), wired(resize_like(), {"3", "input"})};
    return graph(all);
  }

  [[nodiscard]] Choice<Layer> project() const {
    SequentialOptions all;
    all.layers = {conv2d({.out_channels = options_.out_channels, .kernel_size = 1, .bias = false}),
                  batch_norm2d(), relu()};
    if (options_.dropout > 0) all.layers.push_back(dropout({options_.dropout}));
    return sequential(all);
  }

  AsppOptions options_;
};

}  // namespace

const Schema<AsppOptions>& AsppOptions::schema() {
  using O = AsppOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", at_least(1))
          .field(&O::rates, "rates", "Distances between the points of each window.", at_least(1))
          .field(&O::dropout, "dropout", "Share of what comes out dropped while training.",
                 at_least(0), below(1));
  return fields;
}

Choice<Layer> aspp(AsppOptions options) { return choose<Layer>("aspp", options); }

void register_aspp(Registry<Layer>& layers) {
  layers.add<Aspp>("aspp",
                   "An image [C, H, W] through windows of several distances and as a whole, side "
                   "by side, then brought together: DeepLab's pyramid.");
}

}  // namespace hearth::layers
