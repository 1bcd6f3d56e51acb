// Inception's first network; children are named as in torchvision. With auxiliary heads it gives
// three values in the order of torchvision's tuple, which calls the last two the other way round.
#include "hearth/nn/architectures/googlenet.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/inception_block.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/inception.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/pooling/adaptive_average_pool2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"

namespace hearth::layers {
namespace {

constexpr double kGooglenetDeviation = 0.01;

class Googlenet : public Layer {
 public:
  using Options = GooglenetOptions;
  explicit Googlenet(GooglenetOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "googlenet", inputs.front(), options_);
    std::vector<Choice<Layer>> nodes = features();
    std::vector<std::string> outputs = {"logits"};
    if (options_.aux_logits) {
      nodes.push_back(wired(aux_head(classes), {"inception4a"}, {"aux_logits1"}, "aux1"));
      nodes.push_back(wired(aux_head(classes), {"inception4d"}, {"aux_logits2"}, "aux2"));
      outputs.insert(outputs.end(), {"aux_logits1", "aux_logits2"});
    }
    nodes.insert(nodes.end(),
                 {wired(global_average_pool(), {"inception5b"}, {}, "avgpool"),
                  named(dropout({.p = options_.dropout}), "dropout"),
                  wired(inception_linear(classes, kGooglenetDeviation), {}, {"logits"}, "fc")});
    Description description = described({"input"}, nodes, outputs);
    description.classes = classes;
    return description;
  }

 private:
  [[nodiscard]] int64_t wide(int64_t channels) const {
    return scaled_channels(channels, options_.width_mult);
  }

  [[nodiscard]] std::vector<Choice<Layer>> features() const {
    std::vector<Choice<Layer>> nodes;
    if (options_.transform_input) nodes.push_back(named(inception_input(), "transform"));
    nodes.insert(
        nodes.end(),
        {named(convolution(64, 7, 2, 3), "conv1"), named(pool(3), "maxpool1"),
         named(convolution(64, 1, 1, 0), "conv2"), named(convolution(192, 3, 1, 1), "conv3"),
         named(pool(3), "maxpool2"), named(block({64, 96, 128, 16, 32, 32}), "inception3a"),
         named(block({128, 128, 192, 32, 96, 64}), "inception3b"), named(pool(3), "maxpool3"),
         named(block({192, 96, 208, 16, 48, 64}), "inception4a"),
         named(block({160, 112, 224, 24, 64, 64}), "inception4b"),
         named(block({128, 128, 256, 24, 64, 64}), "inception4c"),
         named(block({112, 144, 288, 32, 64, 64}), "inception4d"),
         named(block({256, 160, 320, 32, 128, 128}), "inception4e"), named(pool(2), "maxpool4"),
         named(block({256, 160, 320, 32, 128, 128}), "inception5a"),
         named(block({384, 192, 384, 48, 128, 128}), "inception5b")});
    return nodes;
  }

  [[nodiscard]] Choice<Layer> convolution(int64_t channels, int64_t kernel_size, int64_t stride,
                                          int64_t padding) const {
    return basic_convolution({.out_channels = wide(channels),
                              .kernel_size = kernel_size,
                              .stride = stride,
                              .padding = padding,
                              .deviation = kGooglenetDeviation});
  }

  [[nodiscard]] static Choice<Layer> pool(int64_t kernel_size) {
    return max_pool2d({.kernel_size = kernel_size, .stride = 2, .ceil_mode = true});
  }

  [[nodiscard]] Choice<Layer> block(const InceptionBlockOptions& form) const {
    return inception_block({.ch1x1 = wide(form.ch1x1),
                            .ch3x3red = wide(form.ch3x3red),
                            .ch3x3 = wide(form.ch3x3),
                            .ch5x5red = wide(form.ch5x5red),
                            .ch5x5 = wide(form.ch5x5),
                            .pool_proj = wide(form.pool_proj)});
  }

  [[nodiscard]] Choice<Layer> aux_head(int64_t classes) const {
    return sequential(
        {{named(adaptive_average_pool2d({.size = 4}), "avgpool"),
          named(convolution(128, 1, 1, 0), "conv"), named(flatten(), "flatten"),
          named(inception_linear(wide(1024), kGooglenetDeviation), "fc1"), named(relu(), "relu"),
          named(dropout({.p = options_.dropout_aux}), "dropout"),
          named(inception_linear(classes, kGooglenetDeviation), "fc2")}});
  }

  GooglenetOptions options_;
};

}  // namespace

const Schema<GooglenetOptions>& GooglenetOptions::schema() {
  using O = GooglenetOptions;
  static const auto fields =
      class_fields<O>()
          .field(&O::aux_logits, "aux_logits",
                 "Give the scores of two auxiliary heads too, so that the model has three outputs: "
                 "logits, aux_logits1 and aux_logits2. Without them, files of weights that have "
                 "the heads load with `allow: unexpected`.")
          .field(&O::transform_input, "transform_input", kTransformHelp)
          .field(&O::dropout, "dropout", "Share of values that become zero before the scores.",
                 at_least(0), below(1))
          .field(&O::dropout_aux, "dropout_aux", "The same in the auxiliary heads.", at_least(0),
                 below(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor());
  return fields;
}

Choice<Layer> googlenet(GooglenetOptions options) { return choose<Layer>("googlenet", options); }

void register_googlenet(Registry<Layer>& layers) {
  layers.add<Googlenet>("googlenet",
                        "Windows of different sides beside each other, for images of 15 points a "
                        "side or more: Inception's first network.");
}

}  // namespace hearth::layers
