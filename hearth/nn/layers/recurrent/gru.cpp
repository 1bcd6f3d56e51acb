// A recurrent layer with gates, the GRU.
#include "hearth/nn/layers/recurrent/gru.h"

#include "hearth/config/registry.h"
#include "hearth/nn/recurrent.h"

namespace hearth::layers {
namespace {

struct Gru {
  using Options = GruOptions;
  static constexpr const char* name = "gru";
  static RecurrentCell cell(const Options&) { return RecurrentCell::kGru; }
};

}  // namespace

const Schema<GruOptions>& GruOptions::schema() {
  using O = GruOptions;
  static const auto fields = recurrent_fields<O>(/*has_cell=*/false);
  return fields;
}

Choice<Layer> gru(GruOptions options) { return choose<Layer>(Gru::name, options); }

void register_gru(Registry<Layer>& layers) {
  layers.add<Recurrent<Gru>>(
      Gru::name,
      "A gated recurrent unit over a sequence [T, D]: a state that gates change step by step. "
      "Further inputs: a mask [T] or a length for what is there, and the first state.");
}

}  // namespace hearth::layers
