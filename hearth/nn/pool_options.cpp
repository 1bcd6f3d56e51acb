// Options of pools over any number of dimensions.
#include "hearth/nn/pool_options.h"

namespace hearth {
namespace {

constexpr const char* kPoolStrideHelp =
    "Points the window moves at a time; kernel_size when left out.";
constexpr const char* kCeilModeHelp =
    "Let a last window begin inside and end beyond the border, so that no point is left out.";
constexpr const char* kHalfMessage = "padding must be at most half of kernel_size.";

template <class Options>
bool is_at_most_half(const Options& options) {
  for (size_t side = 0; side < options.padding.lengths().size(); ++side)
    if (2 * options.padding[side] > options.kernel_size[side]) return false;
  return true;
}

}  // namespace

template <size_t Dimensions>
const Schema<MaxPoolOptions<Dimensions>>& MaxPoolOptions<Dimensions>::schema() {
  using O = MaxPoolOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride", kPoolStrideHelp, at_least(1))
          .field(&O::padding, "padding", "Points added at every border, never the largest.",
                 at_least(0))
          .field(&O::dilation, "dilation", "Distance between the points of the window.",
                 at_least(1))
          .field(&O::ceil_mode, "ceil_mode", kCeilModeHelp)
          .check(kHalfMessage, is_at_most_half<O>);
  return fields;
}

template <size_t Dimensions>
const Schema<AveragePoolOptions<Dimensions>>& AveragePoolOptions<Dimensions>::schema() {
  using O = AveragePoolOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::kernel_size, "kernel_size", "Side of the window.", at_least(1))
          .field(&O::stride, "stride", kPoolStrideHelp, at_least(1))
          .field(&O::padding, "padding", "Zeros added at every border.", at_least(0))
          .field(&O::ceil_mode, "ceil_mode", kCeilModeHelp)
          .field(&O::count_include_pad, "count_include_pad",
                 "Whether the zeros at the borders count in the mean.")
          .check(kHalfMessage, is_at_most_half<O>);
  return fields;
}

template <size_t Dimensions>
const Schema<AdaptivePoolOptions<Dimensions>>& AdaptivePoolOptions<Dimensions>::schema() {
  using O = AdaptivePoolOptions;
  static const auto fields = Schema<O>().field(
      &O::size, "size", "Parts along each side, whatever comes in; as many values come out.",
      at_least(1));
  return fields;
}

template struct MaxPoolOptions<1>;
template struct MaxPoolOptions<2>;
template struct MaxPoolOptions<3>;
template struct AveragePoolOptions<1>;
template struct AveragePoolOptions<2>;
template struct AveragePoolOptions<3>;
template struct AdaptivePoolOptions<1>;
template struct AdaptivePoolOptions<2>;
template struct AdaptivePoolOptions<3>;

}  // namespace hearth
