// Values around the edges.
#include "hearth/nn/layers/shape/pad.h"

#include <ATen/ops/pad.h>

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/edges.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Pad : public Layer {
 public:
  using Options = PadOptions;
  explicit Pad(PadOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    Spec output = float_values_like(context, "pad", input);
    const std::vector<Edges> edges = require_edges(context, "pad", input, options_.padding);
    for (size_t i = 0; i < edges.size(); ++i) {
      int64_t& length = output.shape[output.shape.size() - 1 - i];
      require_source(context, input, length, edges[i]);
      if (length != kAnyLength) length += edges[i].before + edges[i].after;
    }
    require_known_sides(context, input, edges.size());
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    c10::optional<double> value;
    if (options_.mode == "constant") value = options_.value;
    return at::pad(input, all_edges(options_.padding, static_cast<size_t>(input.dim() - 1)),
                   options_.mode, value);
  }

 private:
  // What is reflected or goes around comes from the input, which must be long enough.
  void require_source(const BuildContext& context, const Spec& input, int64_t length,
                      const Edges& edges) const {
    const int64_t most = std::max(edges.before, edges.after);
    const bool is_short = (options_.mode == "reflect" && most >= length) ||
                          (options_.mode == "circular" && most > length);
    if (is_short && length != kAnyLength)
      throw_input_error(
          context, "pad",
          "more points along a side than the " + std::to_string(most) + " that it takes from there",
          input, "Use less padding, or the mode constant or replicate.");
  }

  void require_known_sides(const BuildContext& context, const Spec& input, size_t padded) const {
    const size_t sides = input.shape.size() == 3 ? 2 : 1;
    if (options_.mode == "constant" || padded == sides) return;
    throw_input_error(context, "pad",
                      "two numbers for each side of an image, or for the last dimension of others, "
                      "in this mode",
                      input, "Say them, 0 where nothing is added, or use the mode constant.");
  }

  PadOptions options_;
};

}  // namespace

const Schema<PadOptions>& PadOptions::schema() {
  using O = PadOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::padding, "padding",
                 "How many values are added: [left, right, top, bottom] for images, [before, "
                 "after] for the last dimension alone, or one number for all sides.",
                 required(), not_empty(), at_least(0))
          .field(&O::mode, "mode",
                 "What is added: one value, the values next to the edge in reverse, the edge "
                 "itself, or what stands at the other end.",
                 one_of({"constant", "reflect", "replicate", "circular"}))
          .field(&O::value, "value", "What is added in the mode constant.");
  return fields;
}

Choice<Layer> pad(PadOptions options) { return choose<Layer>("pad", options); }

void register_pad(Registry<Layer>& layers) {
  layers.add<Pad>("pad", "Adds values around the edges.");
}

}  // namespace hearth::layers
