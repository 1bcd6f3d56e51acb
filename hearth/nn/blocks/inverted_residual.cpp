// A residual block that is wide in the middle; children are named as in one of torchvision's three
// blocks of that name.
#include "hearth/nn/blocks/inverted_residual.h"

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/blocks/conv_norm_activation.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/requirements.h"
#include "hearth/nn/residual.h"
#include "hearth/nn/residual_branch.h"

namespace hearth::layers {
namespace {

// What they call the branch, and which parts of it are layers of their own.
struct InvertedNames {
  const char* branch;
  bool are_wide_flat;  // convolution, norm and activation of the wide parts stand in the branch
  bool is_last_flat;   // so do convolution and norm of the last part
};

InvertedNames inverted_names(const std::string& names) {
  if (names == "mobilenet_v2") return {"conv", false, true};
  if (names == "mobilenet_v3") return {"block", false, false};
  return {"layers", true, true};
}

class InvertedResidual : public Layer {
 public:
  using Options = InvertedResidualOptions;
  explicit InvertedResidual(InvertedResidualOptions options)
      : options_(std::move(options)), names_(inverted_names(options_.names)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "inverted_residual", inputs.front());
    const int64_t channels = inputs.front().shape[0];
    return residual_branch({.layer = sequential({branch(channels)}),
                            .name = names_.branch,
                            .is_added = options_.stride == 1 && channels == options_.out_channels,
                            .drop_path = options_.drop_path});
  }

 private:
  [[nodiscard]] std::vector<Choice<Layer>> branch(int64_t channels) const {
    const int64_t wide = options_.expanded_channels.value_or(
        std::llround(static_cast<double>(channels) * options_.expand_ratio));
    std::vector<Choice<Layer>> layers;
    if (wide != channels) add_wide(layers, {wide, 1});
    // What is spread is not shrunk.
    const int64_t stride = options_.dilation > 1 ? 1 : options_.stride;
    add_wide(layers, {wide, options_.kernel_size, stride, options_.dilation, wide});
    if (options_.squeeze) layers.push_back(*options_.squeeze);
    add_last(layers);
    return layers;
  }

  void add_wide(std::vector<Choice<Layer>>& layers, const ResidualConvolution& form) const {
    if (names_.are_wide_flat)
      layers.insert(layers.end(), {residual_convolution(form), options_.norm, options_.activation});
    else
      layers.push_back(part(form, options_.activation));
  }

  void add_last(std::vector<Choice<Layer>>& layers) const {
    const ResidualConvolution form = {options_.out_channels, 1};
    if (names_.is_last_flat)
      layers.insert(layers.end(), {residual_convolution(form), options_.norm});
    else
      layers.push_back(part(form, std::nullopt));
  }

  [[nodiscard]] Choice<Layer> part(const ResidualConvolution& form,
                                   std::optional<Choice<Layer>> activation) const {
    return conv_norm_activation({.out_channels = form.out_channels,
                                 .kernel_size = form.kernel_size,
                                 .stride = form.stride,
                                 .dilation = form.dilation,
                                 .groups = form.groups,
                                 .norm = options_.norm,
                                 .activation = std::move(activation)});
  }

  InvertedResidualOptions options_;
  InvertedNames names_;
};

}  // namespace

const Schema<InvertedResidualOptions>& InvertedResidualOptions::schema() {
  using O = InvertedResidualOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", "Channels that come out.", required(),
                 at_least(1))
          .field(&O::kernel_size, "kernel_size", "Side of the window of the wide middle.",
                 at_least(1))
          .field(&O::stride, "stride",
                 "Points the window moves at a time. Where it is 1 and the channels stay, the "
                 "input is added.",
                 at_least(1))
          .field(&O::dilation, "dilation",
                 "Distance between the points of the window; more than 1 take the place of the "
                 "stride.",
                 at_least(1))
          .field(&O::expand_ratio, "expand_ratio",
                 "How many times more channels the middle has; 1 for none more.", size_factor())
          .field(&O::expanded_channels, "expanded_channels",
                 "Channels of the middle; by expand_ratio when left out.", at_least(1))
          .field(&O::squeeze, "squeeze",
                 "A layer after the middle, such as squeeze_excite; none when left out.")
          .field(&O::norm, "norm", "The layer after each convolution.")
          .field(&O::activation, "activation", "The layer after the wide convolutions.")
          .field(&O::drop_path, "drop_path", kDropPathHelp, at_least(0), below(1))
          .field(&O::names, "names", "Whose names, in torchvision, the layers inside have.",
                 one_of({"mobilenet_v2", "mobilenet_v3", "mnasnet"}));
  return fields;
}

Choice<Layer> inverted_residual(InvertedResidualOptions options) {
  return choose<Layer>("inverted_residual", options);
}

void register_inverted_residual(Registry<Layer>& layers) {
  layers.add<InvertedResidual>(
      "inverted_residual",
      "A 1x1 convolution to more channels, a depthwise one, and a 1x1 convolution back, added to "
      "their input: the block of the mobile networks.");
}

}  // namespace hearth::layers
