// A layer made of others, as data: which layers, over which names. Everything that looks at a model
// before it is built works on this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth {

// Where a layer stands among the model's edits.
struct EditPlace {
  size_t first = 0;                // those before this one are not for it: it was not there yet
  std::vector<size_t> wraps = {};  // those that put a layer around it, from the inside out

  // Of the layers below the one that stands here.
  [[nodiscard]] size_t first_below() const { return wraps.empty() ? first : wraps.back() + 1; }
  // Of the layer that the one that stands here was put around.
  [[nodiscard]] EditPlace inside() const;
};

// One layer of a description. What it gives is called as the node is, unless `out` says otherwise.
struct LayerNode {
  std::string name;
  Choice<Layer> layer = {};  // `use` calls another node's layer again
  std::vector<std::string> in = {};
  std::vector<std::string> out = {};
  EditPlace place = {};

  // The node whose layer this one calls again; empty for one with a layer of its own.
  [[nodiscard]] std::string used() const;
};

struct Description {
  std::vector<std::string> inputs = {};
  std::vector<LayerNode> nodes = {};
  std::vector<std::string> outputs = {};
  int64_t classes = 0;  // of the output, when it is a score for each; 0 for what the layers say
  // Children that come first among the parameters, in this order; the others follow as they run.
  std::vector<std::string> first_children = {};

  [[nodiscard]] bool is_empty() const { return inputs.empty(); }
  [[nodiscard]] const LayerNode* find(const std::string& name) const;
};

// A node as a graph's YAML writes it: the layer with `name`, `in` and `out` among its options.
[[nodiscard]] Choice<Layer> named(const Choice<Layer>& layer, const std::string& name);
[[nodiscard]] Choice<Layer> wired(const Choice<Layer>& layer, const std::vector<std::string>& in,
                                  const std::vector<std::string>& out = {},
                                  const std::string& name = "");
// Takes such options out again. A node without a name is called by its number; without `in`, it
// takes what the one before it gave; without `outputs`, what nobody reads comes out.
[[nodiscard]] Description described(const std::vector<std::string>& inputs,
                                    const std::vector<Choice<Layer>>& nodes,
                                    const std::vector<std::string>& outputs = {});

// ConfigError at the layer's place when it has one of these options, which mean nothing where it
// stands: "relu says 'out', but ..." with the reason.
void refuse_options(const Choice<Layer>& layer, const std::vector<std::string>& options,
                    const std::string& reason);

using NamedLayers = std::vector<std::pair<std::string, Choice<Layer>>>;
// Layers one after another.
[[nodiscard]] Description chain(const NamedLayers& layers, int64_t classes = 0);

}  // namespace hearth
