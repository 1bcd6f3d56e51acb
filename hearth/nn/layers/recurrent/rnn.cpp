// A simple recurrent layer.
#include "hearth/nn/layers/recurrent/rnn.h"

#include "hearth/config/registry.h"
#include "hearth/nn/recurrent.h"

namespace hearth::layers {
namespace {

struct Rnn {
  using Options = RnnOptions;
  static constexpr const char* name = "rnn";
  static RecurrentCell cell(const Options& options) {
    return options.nonlinearity == "relu" ? RecurrentCell::kRelu : RecurrentCell::kTanh;
  }
};

}  // namespace

const Schema<RnnOptions>& RnnOptions::schema() {
  using O = RnnOptions;
  static const auto fields = recurrent_fields<O>(/*has_cell=*/false)
                                 .field(&O::nonlinearity, "nonlinearity", "What squashes the sum.",
                                        one_of({"tanh", "relu"}));
  return fields;
}

Choice<Layer> rnn(RnnOptions options) { return choose<Layer>(Rnn::name, options); }

void register_rnn(Registry<Layer>& layers) {
  layers.add<Recurrent<Rnn>>(
      Rnn::name,
      "A simple recurrent network over a sequence [T, D]: each state is a squashed sum of the last "
      "one and the input. "
      "Further inputs: a mask [T] or a length for what is there, and the first state.");
}

}  // namespace hearth::layers
