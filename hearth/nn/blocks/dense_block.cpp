// Layers that each see what all before them gave; children are named as in torchvision's
// _DenseBlock.
#include "hearth/nn/blocks/dense_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/dense.h"
#include "hearth/nn/layer_count.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class DenseBlock : public Layer {
 public:
  using Options = DenseBlockOptions;
  explicit DenseBlock(DenseBlockOptions options) : options_(options) {}

 protected:
  // What all before gave grows by one layer at a time: each value is copied as often as if every
  // layer joined all of them anew, and gradients are added in one piece.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "dense_block", inputs.front());
    std::string before = "input";
    std::vector<Choice<Layer>> nodes;
    for (int64_t i = 1; i <= options_.layers; ++i) {
      const std::string number = std::to_string(i);
      nodes.push_back(wired(layer(), {before}, {}, "denselayer" + number));
      nodes.push_back(wired(concat(), {before, "denselayer" + number}, {}, "concat" + number));
      before = "concat" + number;
    }
    return described({"input"}, nodes);
  }

 private:
  [[nodiscard]] Choice<Layer> layer() const {
    SequentialOptions all;
    all.layers = {named(batch_norm2d(), "norm1"),
                  named(relu(), "relu1"),
                  named(dense_convolution(options_.bn_size * options_.growth_rate, 1), "conv1"),
                  named(batch_norm2d(), "norm2"),
                  named(relu(), "relu2"),
                  named(dense_convolution(options_.growth_rate, 3), "conv2")};
    if (options_.drop_rate > 0)
      all.layers.push_back(named(dropout({.p = options_.drop_rate}), "dropout"));
    return sequential(all);
  }

  DenseBlockOptions options_;
};

}  // namespace

const Schema<DenseBlockOptions>& DenseBlockOptions::schema() {
  using O = DenseBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layers, "layers", "How many layers it has.", required(), layer_count())
          .field(&O::growth_rate, "growth_rate", "Channels that each layer adds.", at_least(1))
          .field(&O::bn_size, "bn_size",
                 "How many times as many channels the 1x1 convolution in each layer gives.",
                 at_least(1))
          .field(&O::drop_rate, "drop_rate",
                 "Share of the values of each layer that become zero while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> dense_block(DenseBlockOptions options) {
  return choose<Layer>("dense_block", options);
}

void register_dense_block(Registry<Layer>& layers) {
  layers.add<DenseBlock>("dense_block",
                         "Layers of a 1x1 and a 3x3 convolution, each of which sees what all "
                         "before it gave: the block of densenet.");
}

}  // namespace hearth::layers
