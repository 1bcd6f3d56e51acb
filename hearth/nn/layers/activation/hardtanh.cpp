// Values cut to a range.
#include "hearth/nn/layers/activation/hardtanh.h"

#include <ATen/ops/hardtanh.h>

#include "hearth/nn/pointwise.h"

namespace hearth::layers {
namespace {

struct Hardtanh {
  using Options = HardtanhOptions;
  static constexpr const char* name = "hardtanh";
  static at::Tensor of(const at::Tensor& input, const Options& options, Kernels) {
    return at::hardtanh(input, options.min_val, options.max_val);
  }
};

}  // namespace

const Schema<HardtanhOptions>& HardtanhOptions::schema() {
  using O = HardtanhOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::min_val, "min_val", "The least value that comes out.")
          .field(&O::max_val, "max_val", "The largest value that comes out.")
          .check("hardtanh: max_val must be above min_val.",
                 [](const O& options) { return options.max_val > options.min_val; });
  return fields;
}

Choice<Layer> hardtanh(HardtanhOptions options) { return choose<Layer>("hardtanh", options); }

void register_hardtanh(Registry<Layer>& layers) {
  layers.add<Pointwise<Hardtanh>>(Hardtanh::name, "Cuts values to a range.");
}

}  // namespace hearth::layers
