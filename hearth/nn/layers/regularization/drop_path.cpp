// Makes whole samples zero at random while training.
#include "hearth/nn/layers/regularization/drop_path.h"

#include "hearth/config/registry.h"
#include "hearth/nn/dropping.h"

namespace hearth::layers {
namespace {

struct DropPath {
  using Options = DropPathOptions;
  static void require(const BuildContext& context, const Spec& input) {
    require_float32(context, "drop_path", input);
  }
  static at::Tensor of(const at::Tensor& input, const Options& options) {
    return drop_parts(input, options.p, 1);
  }
};

}  // namespace

const Schema<DropPathOptions>& DropPathOptions::schema() {
  using O = DropPathOptions;
  static const auto fields =
      Schema<O>().field(&O::p, "p", "Share of samples that become zero.", at_least(0), at_most(1));
  return fields;
}

Choice<Layer> drop_path(DropPathOptions options) { return choose<Layer>("drop_path", options); }

void register_drop_path(Registry<Layer>& layers) {
  layers.add<Dropping<DropPath>>(
      "drop_path",
      "Makes whole samples zero at random while training and the others larger: at the end of a "
      "residual block's branch, stochastic depth.");
}

}  // namespace hearth::layers
