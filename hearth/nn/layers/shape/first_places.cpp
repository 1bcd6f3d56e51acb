// The first places of a sequence.
#include "hearth/nn/layers/shape/first_places.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class FirstPlaces : public Layer {
 public:
  using Options = FirstPlacesOptions;
  explicit FirstPlaces(FirstPlacesOptions options) : count_(options.count) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_sequence(context, "first_places", input);
    if (input.shape[0] < count_)
      throw_input_error(context, "first_places",
                        "a sequence of at least " + std::to_string(count_) + " places", input,
                        "Take fewer, or feed longer sequences.");
    Spec output;
    output.shape = {count_, input.shape[1]};
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override { return input.narrow(1, 0, count_); }

 private:
  int64_t count_;
};

}  // namespace

const Schema<FirstPlacesOptions>& FirstPlacesOptions::schema() {
  using O = FirstPlacesOptions;
  static const auto fields = Schema<O>().field(&O::count, "count", "How many.", at_least(1));
  return fields;
}

Choice<Layer> first_places(FirstPlacesOptions options) {
  return choose<Layer>("first_places", options);
}

void register_first_places(Registry<Layer>& layers) {
  layers.add<FirstPlaces>("first_places",
                          "The first places of a sequence, as a sequence: [T, D] becomes [1, D].");
}

}  // namespace hearth::layers
