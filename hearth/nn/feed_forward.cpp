// A place's own small network.
#include "hearth/nn/feed_forward.h"

#include "hearth/nn/layers/activation/gelu.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"

namespace hearth {

Choice<Layer> feed_forward(const FeedForward& form) {
  const Choice<Layer> drop = layers::dropout({form.dropout});
  layers::GraphOptions all;
  all.nodes = {named(layers::linear({.out_features = form.hidden}), form.names[0]),
               named(layers::gelu(), form.names[1])};
  if (form.dropout > 0) all.nodes.push_back(named(drop, form.names[2]));
  all.nodes.push_back(named(layers::linear({.out_features = form.out}), form.names[3]));
  if (form.dropout > 0) all.nodes.push_back(named(drop, form.names[4]));
  return layers::graph(all);
}

}  // namespace hearth
