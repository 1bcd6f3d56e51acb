// What PyTorch's transformer layers have in common.
#include "hearth/nn/transformer_parts.h"

#include <utility>

#include "hearth/nn/layers/attention/multihead_attention.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/layer_norm.h"
#include "hearth/nn/layers/regularization/dropout.h"

namespace hearth {

TransformerParts::TransformerParts(TransformerForm form, const std::vector<std::string>& inputs)
    : form_(std::move(form)) {
  description_.inputs = inputs;
}

void TransformerParts::add_node(const std::string& name, const Choice<Layer>& layer,
                                const std::vector<std::string>& further) {
  std::vector<std::string> reads = {value_};
  reads.insert(reads.end(), further.begin(), further.end());
  description_.nodes.push_back({name, layer, reads, {name}});
  value_ = name;
}

void TransformerParts::add_dropout(const std::string& name) {
  if (form_.dropout > 0) add_node(name, layers::dropout({form_.dropout}));
}

void TransformerParts::begin_part() {
  ++part_;
  before_ = value_;
  if (form_.norm_first)
    add_node("norm" + std::to_string(part_), layers::layer_norm({.eps = form_.layer_norm_eps}));
}

void TransformerParts::end_part() {
  const std::string number = std::to_string(part_);
  add_dropout("dropout" + number);
  add_node("add" + number, layers::add(), {before_});
  if (!form_.norm_first)
    add_node("norm" + number, layers::layer_norm({.eps = form_.layer_norm_eps}));
}

void TransformerParts::add_attention(const std::string& name, bool is_causal,
                                     const std::vector<std::string>& further) {
  begin_part();
  add_node(name,
           layers::multihead_attention(
               {.heads = form_.heads, .dropout = form_.dropout, .causal = is_causal}),
           further);
  end_part();
}

void TransformerParts::add_feed_forward() {
  begin_part();
  add_node("linear1", layers::linear({.out_features = form_.dim_feedforward}));
  add_node("activation", form_.activation);
  add_dropout("dropout");
  add_node("linear2", layers::linear({.out_features = form_.width}));
  end_part();
}

Description TransformerParts::description() const {
  Description done = description_;
  done.outputs = {value_};
  return done;
}

Choice<Layer> stacked(const std::vector<Choice<Layer>>& layers,
                      const std::vector<std::string>& further) {
  hearth::layers::GraphOptions all;
  all.inputs.insert(all.inputs.end(), further.begin(), further.end());
  std::string before = all.inputs.front();
  for (const Choice<Layer>& layer : layers) {
    std::vector<std::string> reads = {before};
    reads.insert(reads.end(), further.begin(), further.end());
    before = std::to_string(all.nodes.size());
    all.nodes.push_back(wired(layer, reads, {}, before));
  }
  return hearth::layers::graph(all);
}

}  // namespace hearth
