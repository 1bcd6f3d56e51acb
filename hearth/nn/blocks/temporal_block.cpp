// Two causal convolutions along a line, added to their input; children are named as in the paper's
// code (Bai et al., 2018).
#include "hearth/nn/blocks/temporal_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/convolution/conv1d.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/layers/shape/pad.h"

namespace hearth::layers {
namespace {

class TemporalBlock : public Layer {
 public:
  using Options = TemporalBlockOptions;
  explicit TemporalBlock(TemporalBlockOptions options) : options_(options) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_grid(context, "temporal_block", inputs.front(), 1);
    std::vector<Choice<Layer>> nodes;
    add_convolution("1", nodes);
    add_convolution("2", nodes);
    std::string before = "input";
    const std::string last = options_.dropout > 0 ? "dropout2" : "relu2";
    if (inputs.front().shape[0] != options_.channels) {
      before = "downsample";
      nodes.push_back(wired(conv1d({.out_channels = options_.channels, .kernel_size = 1}),
                            {"input"}, {}, before));
    }
    nodes.push_back(wired(add(), {last, before}, {}, "add"));
    nodes.push_back(named(relu(), "relu"));
    return described({"input"}, nodes);
  }

 private:
  // All zeros come before the line: a place sees nothing behind it.
  void add_convolution(const std::string& number, std::vector<Choice<Layer>>& nodes) const {
    const int64_t reach = (options_.kernel_size - 1) * options_.dilation;
    if (reach > 0) nodes.push_back(named(pad({.padding = {reach, 0}}), "pad" + number));
    nodes.push_back(named(conv1d({.out_channels = options_.channels,
                                  .kernel_size = options_.kernel_size,
                                  .dilation = options_.dilation}),
                          "conv" + number));
    nodes.push_back(named(relu(), "relu" + number));
    if (options_.dropout > 0)
      nodes.push_back(named(dropout({options_.dropout}), "dropout" + number));
  }

  TemporalBlockOptions options_;
};

}  // namespace

const Schema<TemporalBlockOptions>& TemporalBlockOptions::schema() {
  using O = TemporalBlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::channels, "channels", "Values that come out at each place.", required(),
                 at_least(1))
          .field(&O::kernel_size, "kernel_size", "Places that a window sees.", at_least(1))
          .field(&O::dilation, "dilation", "How far they are apart.", at_least(1))
          .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
                 below(1));
  return fields;
}

Choice<Layer> temporal_block(TemporalBlockOptions options) {
  return choose<Layer>("temporal_block", options);
}

void register_temporal_block(Registry<Layer>& layers) {
  layers.add<TemporalBlock>("temporal_block",
                            "Two convolutions over a line [C, T] that look only back, added to "
                            "their input.");
}

}  // namespace hearth::layers
