// A layer whose weight is a length and a direction for each output.
#include "hearth/nn/layers/normalization/weight_norm.h"

#include <ATen/ops/_weight_norm.h>
#include <ATen/ops/norm_except_dim.h>

#include "hearth/config/registry.h"
#include "hearth/nn/reparametrized.h"

namespace hearth::layers {
namespace {

class WeightNorm : public Reparametrized {
 public:
  using Options = WeightNormOptions;
  explicit WeightNorm(const WeightNormOptions& options)
      : Reparametrized("weight_norm", options.layer, options.parameter), dim_(options.dim) {}

 protected:
  void split(const at::Tensor& weight, const BuildContext& context) override {
    require_dimension(context, weight, dim_);
    length_ = add_parameter(parameter() + "_g", at::norm_except_dim(weight, 2, dim_));
    direction_ = add_parameter(parameter() + "_v", weight);
  }

  at::Tensor weight() override { return at::_weight_norm(direction_, length_, dim_); }

 private:
  int64_t dim_;
  at::Tensor length_;
  at::Tensor direction_;
};

}  // namespace

const Schema<WeightNormOptions>& WeightNormOptions::schema() {
  using O = WeightNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer, "layer", "The layer whose weight it is; the edit `wrap` gives it.")
          .field(&O::parameter, "parameter", "Which of its parameters.", not_empty())
          .field(&O::dim, "dim",
                 "The dimension along which its parts lie: 0 for outputs, 1 for those of a "
                 "transposed convolution.",
                 at_least(0));
  return fields;
}

Choice<Layer> weight_norm(WeightNormOptions options) {
  return choose<Layer>("weight_norm", options);
}

void register_weight_norm(Registry<Layer>& layers) {
  layers.add<WeightNorm>("weight_norm",
                         "A layer whose weight is learned as a length and a direction for each "
                         "output, `weight_g` and `weight_v`, as in PyTorch.");
}

}  // namespace hearth::layers
