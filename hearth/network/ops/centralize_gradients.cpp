// Takes from the gradient of each output of a weight its mean (Yong and others, 2020).
#include "hearth/network/ops/centralize_gradients.h"

#include "hearth/config/registry.h"
#include "hearth/network/gradient_op.h"

namespace hearth::network_ops {
namespace {

// Outputs come first: one dimension, or two in a packed weight, which has six.
std::vector<int64_t> dimensions_of_an_output(const at::Tensor& gradient) {
  std::vector<int64_t> dimensions;
  for (int64_t k = gradient.dim() == 6 ? 2 : 1; k < gradient.dim(); ++k) dimensions.push_back(k);
  return dimensions;
}

class CentralizeGradientsOp : public GradientOp {
 public:
  using Options = CentralizeGradientsOptions;
  explicit CentralizeGradientsOp(const Options& options) : GradientOp(options.in) {}

 protected:
  void change(const StepContext&, const std::vector<at::Tensor>& gradients) override {
    for (const at::Tensor& gradient : gradients)
      if (gradient.dim() > 1 && gradient.numel() > 0)
        gradient.sub_(gradient.mean(dimensions_of_an_output(gradient), /*keepdim=*/true));
  }
};

}  // namespace

const Schema<CentralizeGradientsOptions>& CentralizeGradientsOptions::schema() {
  static const auto fields = gradient_schema<CentralizeGradientsOptions>();
  return fields;
}

Choice<NetworkOp> centralize_gradients(CentralizeGradientsOptions options) {
  return choose<NetworkOp>("centralize_gradients", options);
}

void register_centralize_gradients(Registry<NetworkOp>& ops) {
  ops.add<CentralizeGradientsOp>(
      "centralize_gradients",
      "Takes from the gradient of each output of a weight its mean; vectors stay.");
}

}  // namespace hearth::network_ops
