// Inception's third network; children are named as in torchvision. With the auxiliary head it gives
// two values, `logits` and `aux_logits`.
#include "hearth/nn/architectures/inception_v3.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/inception_v3_block.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/class_fields.h"
#include "hearth/nn/classifier.h"
#include "hearth/nn/inception.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/layers/regularization/dropout.h"

namespace hearth::layers {
namespace {

class InceptionV3 : public Layer {
 public:
  using Options = InceptionV3Options;
  explicit InceptionV3(InceptionV3Options options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const int64_t classes = classes_of_image(context, "inception_v3", inputs.front(), options_);
    std::vector<Choice<Layer>> nodes = features();
    std::vector<std::string> outputs = {"logits"};
    if (options_.aux_logits) {
      nodes.push_back(wired(aux_head(classes), {}, {"aux_logits"}, "AuxLogits"));
      outputs.emplace_back("aux_logits");
    }
    nodes.insert(nodes.end(),
                 {wired(block("d"), {"Mixed_6e"}, {}, "Mixed_7a"), named(block("e"), "Mixed_7b"),
                  named(block("e"), "Mixed_7c"), named(global_average_pool(), "avgpool"),
                  named(dropout({.p = options_.dropout}), "dropout"),
                  wired(inception_linear(classes, 0.1), {}, {"logits"}, "fc")});
    Description description = described({"input"}, nodes, outputs);
    description.classes = classes;
    return description;
  }

 private:
  [[nodiscard]] std::vector<Choice<Layer>> features() const {
    const auto pool = max_pool2d({.kernel_size = 3, .stride = 2});
    std::vector<Choice<Layer>> nodes;
    if (options_.transform_input) nodes.push_back(named(inception_input(), "transform"));
    nodes.insert(nodes.end(),
                 {named(convolution({32, 3, 2}), "Conv2d_1a_3x3"),
                  named(convolution({32, 3}), "Conv2d_2a_3x3"),
                  named(convolution({64, 3, 1, 1}), "Conv2d_2b_3x3"), named(pool, "maxpool1"),
                  named(convolution({80}), "Conv2d_3b_1x1"),
                  named(convolution({192, 3}), "Conv2d_4a_3x3"), named(pool, "maxpool2"),
                  named(block("a", 32), "Mixed_5b"), named(block("a", 64), "Mixed_5c"),
                  named(block("a", 64), "Mixed_5d"), named(block("b"), "Mixed_6a"),
                  named(block("c", 128), "Mixed_6b"), named(block("c", 160), "Mixed_6c"),
                  named(block("c", 160), "Mixed_6d"), named(block("c", 192), "Mixed_6e")});
    return nodes;
  }

  [[nodiscard]] Choice<Layer> convolution(BasicConvolution form) const {
    form.out_channels = scaled_channels(form.out_channels, options_.width_mult);
    return basic_convolution(form);
  }

  [[nodiscard]] Choice<Layer> block(const std::string& form,
                                    std::optional<int64_t> channels = std::nullopt) const {
    return inception_v3_block(
        {.form = form, .channels = channels, .width_mult = options_.width_mult});
  }

  [[nodiscard]] Choice<Layer> aux_head(int64_t classes) const {
    return sequential(
        {{named(average_pool2d({.kernel_size = 5, .stride = 3}), "pool"),
          named(convolution({128}), "conv0"), named(convolution({768, 5}), "conv1"),
          named(global_average_pool(), "avgpool"), named(inception_linear(classes, 0.001), "fc")}});
  }

  InceptionV3Options options_;
};

}  // namespace

const Schema<InceptionV3Options>& InceptionV3Options::schema() {
  using O = InceptionV3Options;
  static const auto fields =
      class_fields<O>()
          .field(&O::aux_logits, "aux_logits",
                 "Give the scores of an auxiliary head too, so that the model has two outputs: "
                 "logits and aux_logits. It needs images of 299 points a side. Without it, files "
                 "of weights that have the head load with `allow: unexpected`.")
          .field(&O::transform_input, "transform_input", kTransformHelp)
          .field(&O::dropout, "dropout", "Share of values that become zero before the scores.",
                 at_least(0), below(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor());
  return fields;
}

Choice<Layer> inception_v3(InceptionV3Options options) {
  return choose<Layer>("inception_v3", options);
}

void register_inception_v3(Registry<Layer>& layers) {
  layers.add<InceptionV3>("inception_v3",
                          "Branches of many windows, for images of 75 points a side or more: "
                          "Inception's third network.");
}

}  // namespace hearth::layers
