// A recurrent layer with gates and a memory, the LSTM.
#include "hearth/nn/layers/recurrent/lstm.h"

#include "hearth/config/registry.h"
#include "hearth/nn/recurrent.h"

namespace hearth::layers {
namespace {

struct Lstm {
  using Options = LstmOptions;
  static constexpr const char* name = "lstm";
  static RecurrentCell cell(const Options&) { return RecurrentCell::kLstm; }
};

}  // namespace

const Schema<LstmOptions>& LstmOptions::schema() {
  using O = LstmOptions;
  static const auto fields = recurrent_fields<O>(/*has_cell=*/true);
  return fields;
}

Choice<Layer> lstm(LstmOptions options) { return choose<Layer>(Lstm::name, options); }

void register_lstm(Registry<Layer>& layers) {
  layers.add<Recurrent<Lstm>>(
      Lstm::name,
      "A long short-term memory over a sequence [T, D]: a state and cells that gates change step "
      "by step. "
      "Further inputs: a mask [T] or a length for what is there, and the first state.");
}

}  // namespace hearth::layers
