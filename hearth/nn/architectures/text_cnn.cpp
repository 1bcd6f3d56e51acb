// A text classifier of convolutions with windows of several sizes (Kim, 2014).
#include "hearth/nn/architectures/text_cnn.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/convolution/conv1d.h"
#include "hearth/nn/layers/embedding.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/adaptive_max_pool1d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class TextCnn : public Layer {
 public:
  using Options = TextCnnOptions;
  explicit TextCnn(TextCnnOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_tokens(context, "text_cnn", inputs.front());
    const int64_t classes = require_classes(context, {"text_cnn", "classes", options_.classes});
    NamedLayers layers = {
        {"embedding", embedding({.entries = options_.vocabulary, .size = options_.embedding_size})},
        {"channels", permute({.dims = {1, 0}})},
        {"convs", windows()}};
    if (options_.dropout > 0) layers.emplace_back("dropout", dropout({options_.dropout}));
    layers.emplace_back("fc", linear({.out_features = classes}));
    return chain(layers, classes);
  }

 private:
  // The largest value that each channel of each convolution has anywhere.
  [[nodiscard]] Choice<Layer> windows() const {
    GraphOptions all;
    std::vector<std::string> largest;
    for (size_t i = 0; i < options_.kernel_sizes.size(); ++i) {
      const std::string name = std::to_string(i);
      const auto convolution =
          conv1d({.out_channels = options_.channels, .kernel_size = options_.kernel_sizes[i]});
      all.nodes.push_back(wired(convolution, {"input"}, {}, name));
      all.nodes.push_back(named(relu(), "relu" + name));
      all.nodes.push_back(named(adaptive_max_pool1d({.size = 1}), "pool" + name));
      all.nodes.push_back(named(flatten(), "largest" + name));
      largest.push_back("largest" + name);
    }
    all.nodes.push_back(wired(concat(), largest, {}, "all"));
    return graph(all);
  }

  TextCnnOptions options_;
};

}  // namespace

const Schema<TextCnnOptions>& TextCnnOptions::schema() {
  using O = TextCnnOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::embedding_size, "embedding_size", "Values that stand for a token.",
                 at_least(1))
          .field(&O::kernel_sizes, "kernel_sizes",
                 "Tokens that a window sees, one number for each.", not_empty(), at_least(1))
          .field(&O::channels, "channels", "Values that come out of each convolution.", at_least(1))
          .field(&O::dropout, "dropout",
                 "Share of values before the scores dropped while training.", at_least(0), below(1))
          .field(&O::vocabulary, "vocabulary",
                 "How many different tokens there are; from the data when left out.", at_least(1))
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1));
  return fields;
}

Choice<Layer> text_cnn(const TextCnnOptions& options) { return choose<Layer>("text_cnn", options); }

void register_text_cnn(Registry<Layer>& layers) {
  layers.add<TextCnn>("text_cnn",
                      "Convolutions with windows of several sizes over tokens, int64 [T], and the "
                      "largest value of each channel.");
}

}  // namespace hearth::layers
