// Makes whole channels zero at random while training.
#include "hearth/nn/layers/regularization/dropout2d.h"

#include "hearth/config/registry.h"
#include "hearth/nn/dropping.h"
#include "hearth/nn/grid.h"

namespace hearth::layers {
namespace {

struct Dropout2d {
  using Options = Dropout2dOptions;
  static void require(const BuildContext& context, const Spec& input) {
    require_channels(context, "dropout2d", input, 1);
  }
  static at::Tensor of(const at::Tensor& input, const Options& options) {
    return drop_parts(input, options.p, 2);
  }
};

}  // namespace

const Schema<Dropout2dOptions>& Dropout2dOptions::schema() {
  using O = Dropout2dOptions;
  static const auto fields =
      Schema<O>().field(&O::p, "p", "Share of channels that become zero.", at_least(0), below(1));
  return fields;
}

Choice<Layer> dropout2d(Dropout2dOptions options) { return choose<Layer>("dropout2d", options); }

void register_dropout2d(Registry<Layer>& layers) {
  layers.add<Dropping<Dropout2d>>(
      "dropout2d",
      "Makes whole channels of [C, L], [C, H, W] or [C, D, H, W] zero at random while training.");
}

}  // namespace hearth::layers
