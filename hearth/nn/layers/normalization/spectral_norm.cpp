// A layer whose weight is divided by its largest singular value.
#include "hearth/nn/layers/normalization/spectral_norm.h"

#include <ATen/ops/mv.h>
#include <c10/core/GradMode.h>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/reparametrized.h"

namespace hearth::layers {
namespace {

class SpectralNorm : public Reparametrized {
 public:
  using Options = SpectralNormOptions;
  explicit SpectralNorm(const SpectralNormOptions& options)
      : Reparametrized("spectral_norm", options.layer, options.parameter), options_(options) {}

 protected:
  void split(const at::Tensor& weight, const BuildContext& context) override {
    require_dimension(context, weight, options_.dim);
    original_ = add_parameter(parameter() + "_orig", weight);
    const at::Tensor matrix = as_matrix(weight);
    left_ = add_buffer(parameter() + "_u", first_vector(context, "_u", matrix.size(0)));
    right_ = add_buffer(parameter() + "_v", first_vector(context, "_v", matrix.size(1)));
  }

  at::Tensor weight() override {
    const at::Tensor matrix = as_matrix(original_);
    if (is_training()) iterate(matrix.detach());
    // Copies: the next call changes the vectors, while this one's graph still needs them.
    const at::Tensor largest = at::mv(matrix, right_.clone()).mul(left_.clone()).sum();
    return original_.div(largest);
  }

 private:
  [[nodiscard]] at::Tensor as_matrix(const at::Tensor& weight) const {
    return weight.movedim(options_.dim, 0).reshape({weight.size(options_.dim), -1});
  }

  [[nodiscard]] at::Tensor unit(const at::Tensor& vector) const {
    return vector.div(vector.norm().clamp_min(options_.eps));
  }

  [[nodiscard]] at::Tensor first_vector(const BuildContext& context, const std::string& suffix,
                                        int64_t size) const {
    return unit(normal(context, parameter() + suffix, {size}, 1));
  }

  // The power method, from where the last call left it.
  void iterate(const at::Tensor& matrix) {
    const c10::AutoGradMode no_grad(false);
    for (int64_t i = 0; i < options_.n_power_iterations; ++i) {
      right_.copy_(unit(at::mv(matrix.t(), left_)));
      left_.copy_(unit(at::mv(matrix, right_)));
    }
  }

  SpectralNormOptions options_;
  at::Tensor original_;
  at::Tensor left_;
  at::Tensor right_;
};

}  // namespace

const Schema<SpectralNormOptions>& SpectralNormOptions::schema() {
  using O = SpectralNormOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer, "layer", "The layer whose weight it is; the edit `wrap` gives it.")
          .field(&O::parameter, "parameter", "Which of its parameters.", not_empty())
          .field(&O::dim, "dim",
                 "The dimension along which its parts lie: 0 for outputs, 1 for those of a "
                 "transposed convolution.",
                 at_least(0))
          .field(&O::n_power_iterations, "n_power_iterations",
                 "Steps towards the largest singular value at every call while training.",
                 at_least(1))
          .field(&O::eps, "eps", "The least length a vector is divided by.", above(0));
  return fields;
}

Choice<Layer> spectral_norm(SpectralNormOptions options) {
  return choose<Layer>("spectral_norm", options);
}

void register_spectral_norm(Registry<Layer>& layers) {
  layers.add<SpectralNorm>(
      "spectral_norm",
      "A layer whose weight is divided by its largest singular value, as the discriminators of "
      "some GANs want it; `weight_orig` is learned, as in PyTorch.");
}

}  // namespace hearth::layers
