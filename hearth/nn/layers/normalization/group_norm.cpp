// Normalization of groups of channels.
#include "hearth/nn/layers/normalization/group_norm.h"

#include "hearth/config/registry.h"
#include "hearth/kernels/normalization/group_norm.h"
#include "hearth/nn/grid.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class GroupNorm : public Layer {
 public:
  using Options = GroupNormOptions;
  explicit GroupNorm(GroupNormOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_channels(context, "group_norm", input, 0);
    const int64_t channels = input.shape[0];
    if (channels % options_.groups != 0) {
      throw_input_error(context, "group_norm",
                        "channels that " + std::to_string(options_.groups) + " groups share evenly",
                        input, "Change groups.");
    }
    if (options_.affine) {
      weight_ = add_parameter("weight", filled(context, "weight", {channels}, 1));
      bias_ = add_parameter("bias", filled(context, "bias", {channels}, 0));
    }
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    return group_norm_images(kernels(), input, weight_, bias_, {options_.groups, options_.eps});
  }

 private:
  GroupNormOptions options_;
  at::Tensor weight_;
  at::Tensor bias_;
};

}  // namespace

const Schema<GroupNormOptions>& GroupNormOptions::schema() {
  using O = GroupNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::groups, "groups", "Parts the channels are split into; 1 for all together.",
                 at_least(1))
          .field(&O::eps, "eps", "Added to the variance, so that nothing is divided by zero.",
                 above(0))
          .field(&O::affine, "affine", "Scale and shift every channel by learned values.");
  return fields;
}

Choice<Layer> group_norm(GroupNormOptions options) { return choose<Layer>("group_norm", options); }

void register_group_norm(Registry<Layer>& layers) {
  layers.add<GroupNorm>("group_norm",
                        "Groups of channels of [C, ...] brought to mean 0 and deviation 1, each "
                        "sample by itself, then scaled and shifted.");
}

}  // namespace hearth::layers
