// Convolutions along a sequence whose windows reach twice as far back from block to block; children
// are named as in the paper's code (Bai et al., 2018).
#include "hearth/nn/architectures/temporal_cnn.h"

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/temporal_block.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/place_pool.h"
#include "hearth/nn/layers/shape/permute.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

// Windows reach over 2^40 places then: more than any sequence has.
constexpr size_t kMostTemporalBlocks = 40;

class TemporalCnn : public Layer {
 public:
  using Options = TemporalCnnOptions;
  explicit TemporalCnn(TemporalCnnOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "temporal_cnn", inputs.front());
    const int64_t classes = require_classes(context, {"temporal_cnn", "classes", options_.classes});
    NamedLayers layers = {{"channels", permute({.dims = {1, 0}})},
                          {"network", network()},
                          {"places", permute({{1, 0}})}};
    const bool is_last = options_.output == "last";
    if (is_last) layers.emplace_back("last", place_pool());
    layers.emplace_back("linear", linear({.out_features = classes}));
    // Losses and metrics want the classes before the places.
    if (!is_last) layers.emplace_back("scores", permute({.dims = {1, 0}}));
    return chain(layers, classes);
  }

 private:
  [[nodiscard]] Choice<Layer> network() const {
    SequentialOptions blocks;
    for (const int64_t channels : options_.channels)
      blocks.layers.push_back(temporal_block({.channels = channels,
                                              .kernel_size = options_.kernel_size,
                                              .dilation = int64_t{1} << blocks.layers.size(),
                                              .dropout = options_.dropout}));
    return sequential(blocks);
  }

  TemporalCnnOptions options_;
};

}  // namespace

const Schema<TemporalCnnOptions>& TemporalCnnOptions::schema() {
  using O = TemporalCnnOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::channels, "channels",
                 "Values at each place, a number for each block; the windows of each reach twice "
                 "as far back as those of the one before.",
                 not_empty(), at_least(1))
          .field(&O::kernel_size, "kernel_size", "Places that a window sees.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1))
          .field(&O::output, "output",
                 "What is scored: last, the whole sequence by its last place, [classes]; sequence, "
                 "every place by what came before it, [classes, T].",
                 one_of({"last", "sequence"}))
          .field(&O::classes, "classes", "Scores that come out; from the data when left out.",
                 at_least(1))
          .check("temporal_cnn: channels may name at most 40 blocks.",
                 [](const O& options) { return options.channels.size() <= kMostTemporalBlocks; });
  return fields;
}

Choice<Layer> temporal_cnn(const TemporalCnnOptions& options) {
  return choose<Layer>("temporal_cnn", options);
}

void register_temporal_cnn(Registry<Layer>& layers) {
  layers.add<TemporalCnn>("temporal_cnn",
                          "Convolutions along a sequence [T, D] that look only back, each block "
                          "twice as far as the one before.");
}

}  // namespace hearth::layers
