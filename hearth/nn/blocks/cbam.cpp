// Weighs the channels of an image, then its points (Woo et al. 2018).
#include "hearth/nn/blocks/cbam.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/activation/sigmoid.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/multiply.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/composition/use.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/pooling/channel_pool.h"
#include "hearth/nn/layers/pooling/global_average_pool.h"
#include "hearth/nn/layers/pooling/global_max_pool.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Cbam : public Layer {
 public:
  using Options = CbamOptions;
  explicit Cbam(CbamOptions options) : options_(options) {}

 protected:
  // One network judges means and largest values alike.
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "cbam", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    const int64_t squeezed = std::max<int64_t>(1, channels / options_.reduction);
    const auto mlp = sequential({{named(linear({.out_features = squeezed}), "fc1"), relu(),
                                  named(linear({.out_features = channels}), "fc2")}});
    const auto conv = conv2d({.out_channels = 1,
                              .kernel_size = options_.kernel_size,
                              .padding = options_.kernel_size / 2,
                              .bias = false});
    return described(
        {"input"},
        {wired(global_average_pool(), {"input"}, {}, "means"), wired(mlp, {"means"}, {}, "mlp"),
         wired(global_max_pool(), {"input"}, {}, "largest"),
         wired(use({.layer = "mlp"}), {"largest"}, {}, "mlp_again"),
         wired(add(), {"mlp", "mlp_again"}, {}, "sum"), named(sigmoid(), "channel_weights"),
         wired(multiply(), {"input", "channel_weights"}, {}, "weighed"),
         named(channel_pool(), "points"), named(conv, "conv"), named(sigmoid(), "point_weights"),
         wired(multiply(), {"weighed", "point_weights"}, {}, "output")});
  }

 private:
  CbamOptions options_;
};

}  // namespace

const Schema<CbamOptions>& CbamOptions::schema() {
  using O = CbamOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::reduction, "reduction",
                 "How many times fewer hidden values than channels the network that weighs them "
                 "has.",
                 at_least(1))
          .field(&O::kernel_size, "kernel_size",
                 "Side of the window that weighs a point by its surroundings; an odd number.",
                 at_least(1))
          .check("kernel_size must be odd.",
                 [](const O& options) { return options.kernel_size % 2 == 1; });
  return fields;
}

Choice<Layer> cbam(CbamOptions options) { return choose<Layer>("cbam", options); }

void register_cbam(Registry<Layer>& layers) {
  layers.add<Cbam>("cbam",
                   "Weighs the channels of an image [C, H, W] by their means and largest values, "
                   "then its points by those of their surroundings.");
}

}  // namespace hearth::layers
