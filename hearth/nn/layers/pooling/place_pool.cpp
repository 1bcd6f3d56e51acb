// The last or the first place of a sequence, of those that a mask says are there.
#include "hearth/nn/layers/pooling/place_pool.h"

#include <ATen/ops/arange.h>

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class PlacePool : public Layer {
 public:
  using Options = PlacePoolOptions;
  explicit PlacePool(const PlacePoolOptions& options) : is_last_(options.place == "last") {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    require_sequence(context, "place_pool", inputs.front());
    if (inputs.size() > 1) require_mask(context, "place_pool", inputs.front(), inputs.subspan(1));
    Spec output;
    output.shape = {inputs.front().shape[1]};
    return {output};
  }

  at::Tensor forward(const at::Tensor& input) override {
    return input.select(1, is_last_ ? input.size(1) - 1 : 0);
  }

  // The first of the largest numbers: places that are there count more, later ones more or less. A
  // sequence with nothing in it gives its last or first place.
  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const at::Tensor& input = inputs[0];
    const bool has_mask = inputs.size() > 1 && inputs[1].defined();
    if (!has_mask) {
      outputs[0] = forward(input);
      return;
    }
    const int64_t length = input.size(1);
    const at::Tensor places = at::arange(length, input.options().dtype(at::kLong));
    const at::Tensor order = is_last_ ? places : places.neg();
    const at::Tensor chosen =
        inputs[1].ne(0).to(at::kLong).mul(length).add(order).argmax(1).view({-1, 1, 1});
    outputs[0] = input.gather(1, chosen.expand({-1, 1, input.size(2)})).squeeze(1);
  }

 private:
  bool is_last_;
};

}  // namespace

const Schema<PlacePoolOptions>& PlacePoolOptions::schema() {
  using O = PlacePoolOptions;
  static const auto fields =
      Schema<O>().field(&O::place, "place", "Which one.", one_of({"last", "first"}));
  return fields;
}

Choice<Layer> place_pool(PlacePoolOptions options) { return choose<Layer>("place_pool", options); }

void register_place_pool(Registry<Layer>& layers) {
  layers.add<PlacePool>(
      "place_pool",
      "The last or the first place of a sequence: [T, D] becomes [D]; with a mask [T] as a "
      "second input, of the places where it is not 0.");
}

}  // namespace hearth::layers
