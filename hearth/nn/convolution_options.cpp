// Options of convolutions over any number of dimensions.
#include "hearth/nn/convolution_options.h"

namespace hearth {
namespace {

constexpr const char* kOutHelp =
    "Channels that come out; the data's number of classes when left out.";
constexpr const char* kGroupsHelp =
    "Parts the channels are split into, each convolved alone; as many as channels for a depthwise "
    "convolution.";
constexpr const char* kClassesOfHelp =
    "The key whose number of classes it is, when the data has several.";

// A number for each side, where there are several.
std::string by_side(const std::string& help, size_t dimensions) {
  if (dimensions == 1) return help + ".";
  return help + (dimensions == 2 ? "; one number, or [height, width]."
                                 : "; one number, or [depth, height, width].");
}

}  // namespace

template <size_t Dimensions>
const Schema<ConvolutionOptions<Dimensions>>& ConvolutionOptions<Dimensions>::schema() {
  using O = ConvolutionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", kOutHelp, at_least(1))
          .field(&O::kernel_size, "kernel_size", by_side("Side of the window", Dimensions),
                 at_least(1))
          .field(&O::stride, "stride", by_side("Points the window moves at a time", Dimensions),
                 at_least(1))
          .field(&O::padding, "padding",
                 by_side("Zeros added at every border, or `same`, as many as keep the size at "
                         "stride 1",
                         Dimensions),
                 at_least(0))
          .field(&O::dilation, "dilation",
                 by_side("Distance between the points of the window", Dimensions), at_least(1))
          .field(&O::groups, "groups", kGroupsHelp, at_least(1))
          .field(&O::bias, "bias", "Add a learned bias.")
          .field(
              &O::init, "init",
              "First weights: uniform by the values that come in, as PyTorch; or normal by those "
              "that go out, for a relu after it, as residual networks.",
              one_of({"fan_in_uniform", "kaiming_fan_out"}))
          .field(&O::classes_of, "classes_of", kClassesOfHelp, not_empty())
          .check(
              "padding: same needs stride 1; say how many zeros to add instead.",
              [](const O& options) { return !options.padding.is_same() || options.stride == 1; });
  return fields;
}

template <size_t Dimensions>
const Schema<ConvolutionTransposeOptions<Dimensions>>&
ConvolutionTransposeOptions<Dimensions>::schema() {
  using O = ConvolutionTransposeOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::out_channels, "out_channels", kOutHelp, at_least(1))
          .field(&O::kernel_size, "kernel_size", by_side("Side of the window", Dimensions),
                 at_least(1))
          .field(&O::stride, "stride",
                 by_side("Points of the output between two points of the input", Dimensions),
                 at_least(1))
          .field(&O::padding, "padding",
                 by_side("Points taken away from every border of the output", Dimensions),
                 at_least(0))
          .field(&O::output_padding, "output_padding",
                 by_side("Points added at the far borders, to say which of several sizes comes out",
                         Dimensions),
                 at_least(0))
          .field(&O::dilation, "dilation",
                 by_side("Distance between the points of the window", Dimensions), at_least(1))
          .field(&O::groups, "groups", kGroupsHelp, at_least(1))
          .field(&O::bias, "bias", "Add a learned bias.")
          .field(&O::classes_of, "classes_of", kClassesOfHelp, not_empty())
          .check("output_padding must be smaller than stride or dilation.", [](const O& options) {
            for (size_t side = 0; side < Dimensions; ++side)
              if (options.output_padding[side] >=
                  std::max(options.stride[side], options.dilation[side]))
                return false;
            return true;
          });
  return fields;
}

template struct ConvolutionOptions<1>;
template struct ConvolutionOptions<2>;
template struct ConvolutionOptions<3>;
template struct ConvolutionTransposeOptions<1>;
template struct ConvolutionTransposeOptions<2>;
template struct ConvolutionTransposeOptions<3>;

}  // namespace hearth
