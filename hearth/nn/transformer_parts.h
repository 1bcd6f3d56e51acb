// What PyTorch's transformer layers have in common: parts that are added to their input, with a
// norm before or behind each, and stacks of such layers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/nn/description.h"

namespace hearth {

struct TransformerForm {
  int64_t width = 0;
  int64_t heads = 0;
  int64_t dim_feedforward = 0;
  double dropout = 0;
  Choice<Layer> activation = {};
  double layer_norm_eps = 0;
  bool norm_first = false;
};

// Grows a description by one part after another. Children are named as PyTorch's: norm1, dropout1
// and so on by the number of the part.
class TransformerParts {
 public:
  TransformerParts(TransformerForm form, const std::vector<std::string>& inputs);

  // Attention of the value so far to itself or to the first of `further`, a sequence; masks too are
  // among them.
  void add_attention(const std::string& name, bool is_causal,
                     const std::vector<std::string>& further);
  // Each place's own small network: linear1, activation, linear2.
  void add_feed_forward();
  [[nodiscard]] Description description() const;

 private:
  void begin_part();
  void end_part();
  void add_node(const std::string& name, const Choice<Layer>& layer,
                const std::vector<std::string>& further = {});
  void add_dropout(const std::string& name);

  TransformerForm form_;
  Description description_;
  int part_ = 0;
  std::string before_ = "input";  // the value so far, without the part that grows
  std::string value_ = "input";
};

// The form that a layer's options ask for, over a sequence of this width.
template <class O>
TransformerForm transformer_form(const O& o, int64_t width) {
  return {width,        o.heads,          o.dim_feedforward, o.dropout,
          o.activation, o.layer_norm_eps, o.norm_first};
}

// The fields of all of them, by these names in their options.
template <class O>
Schema<O> transformer_fields() {
  return Schema<O>()
      .field(&O::heads, "heads", "Heads of the attention.", required(), at_least(1))
      .field(&O::dim_feedforward, "dim_feedforward", "Width of the hidden layer.", at_least(1))
      .field(&O::dropout, "dropout", "Share of values dropped while training.", at_least(0),
             below(1))
      .field(&O::activation, "activation", "The layer behind the hidden one.")
      .field(&O::layer_norm_eps, "layer_norm_eps", "Added to variances by the layer norms.",
             above(0))
      .field(&O::norm_first, "norm_first",
             "Norms before attention and network instead of behind them.");
}

// Layers "0", "1", ..., each over what the one before it gives and over all `further` inputs.
[[nodiscard]] Choice<Layer> stacked(const std::vector<Choice<Layer>>& layers,
                                    const std::vector<std::string>& further);

}  // namespace hearth
