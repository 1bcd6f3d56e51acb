// One value cut into several: the counterpart of concat.
#include "hearth/nn/layers/composition/split.h"

#include <algorithm>

#include "hearth/nn/along_axis.h"

namespace hearth::layers {
namespace {

class Split : public Layer {
 public:
  using Options = SplitOptions;
  explicit Split(SplitOptions options) : options_(options) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& input = inputs.front();
    Spec part = float_values_like(context, "split", input);
    const size_t axis = require_axis(context, "split", input, {});
    require_parts(context, "split", input, axis, options_.parts);
    part.shape[axis] /= options_.parts;
    return std::vector<Spec>(static_cast<size_t>(options_.parts), part);
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const std::vector<at::Tensor> parts = inputs[0].chunk(options_.parts, batch_dim(inputs[0]));
    std::copy(parts.begin(), parts.end(), outputs.begin());
  }

 private:
  SplitOptions options_;
};

}  // namespace

const Schema<SplitOptions>& SplitOptions::schema() {
  using O = SplitOptions;
  static const auto fields = Schema<O>().field(
      &O::parts, "parts", "How many values come out, each with as many channels or features.",
      at_least(2));
  return fields;
}

Choice<Layer> split(SplitOptions options) { return choose<Layer>("split", options); }

void register_split(Registry<Layer>& layers) {
  layers.add<Split>("split",
                    "One value cut into several: channels of images, features of others. A node of "
                    "a graph, with a name in `out` for each.");
}

}  // namespace hearth::layers
