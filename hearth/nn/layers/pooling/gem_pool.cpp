// The generalized mean of every channel of an image.
#include "hearth/nn/layers/pooling/gem_pool.h"

#include <ATen/ops/mean.h>

#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class GemPool : public Layer {
 public:
  using Options = GemPoolOptions;
  explicit GemPool(GemPoolOptions options) : options_(options) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "gem_pool", input);
    if (options_.learn) p_ = add_parameter("p", filled(context, "p", {1}, options_.p));
    Spec output;
    output.shape = {input.shape[0]};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const at::Tensor values = input.clamp_min(options_.eps);
    if (!options_.learn)
      return at::mean(values.pow(options_.p), at::IntArrayRef({2, 3})).pow(1 / options_.p);
    return at::mean(values.pow(p_), at::IntArrayRef({2, 3})).pow(p_.reciprocal());
  }

 private:
  GemPoolOptions options_;
  at::Tensor p_;
};

}  // namespace

const Schema<GemPoolOptions>& GemPoolOptions::schema() {
  using O = GemPoolOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::p, "p",
                 "The power whose mean is taken; 1 is the mean, a large one the maximum.", above(0))
          .field(&O::eps, "eps", "Values below it count as this one.", above(0))
          .field(&O::learn, "learn", "Learn the power.");
  return fields;
}

Choice<Layer> gem_pool(GemPoolOptions options) { return choose<Layer>("gem_pool", options); }

void register_gem_pool(Registry<Layer>& layers) {
  layers.add<GemPool>(
      "gem_pool",
      "The generalized mean of every channel, (mean of x^p)^(1/p): [C, H, W] becomes [C].");
}

}  // namespace hearth::layers
