// The mean over a sequence, of the places that a mask says are there.
#include "hearth/nn/layers/pooling/mean_pool.h"

#include <ATen/ops/mean.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/pointwise.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class MeanPool : public Layer {
 public:
  using Options = MeanPoolOptions;
  explicit MeanPool(MeanPoolOptions) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "mean_pool", inputs.front());
    if (inputs.size() > 1) require_mask(context, "mean_pool", inputs.front(), inputs.subspan(1));
    Spec output;
    output.shape = {inputs.front().shape[1]};
    return {output};
  }

  at::Tensor forward(const at::Tensor& input) override { return at::mean(input, 1); }

  // A sequence with nothing in it gives zeros.
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const bool has_mask = inputs.size() > 1 && inputs[1].defined();
    if (!has_mask) {
      outputs[0] = forward(inputs[0]);
      return;
    }
    const at::Tensor is_there = inputs[1].ne(0).to(inputs[0].scalar_type()).unsqueeze(2);
    outputs[0] = inputs[0].mul(is_there).sum(1).div(is_there.sum(1).clamp_min(1));
  }
};

}  // namespace

const Schema<MeanPoolOptions>& MeanPoolOptions::schema() { return no_fields<MeanPoolOptions>(); }

Choice<Layer> mean_pool(MeanPoolOptions options) { return choose<Layer>("mean_pool", options); }

void register_mean_pool(Registry<Layer>& layers) {
  layers.add<MeanPool>("mean_pool",
                       "The mean over a sequence: [T, D] becomes [D]; with a mask [T] as a second "
                       "input, of the places where it is not 0.");
}

}  // namespace hearth::layers
