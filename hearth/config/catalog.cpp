// Finding components in the catalog.
#include "hearth/config/catalog.h"

#include "hearth/config/schema.h"
#include "hearth/config/scoped_options.h"
#include "hearth/config/weight_prices.h"

namespace hearth {

const ComponentInfo* KindInfo::find(std::string_view wanted) const {
  for (const ComponentInfo& component : components)
    if (component.name == wanted) return &component;
  return nullptr;
}

std::vector<std::string> KindInfo::names() const {
  std::vector<std::string> names;
  for (const ComponentInfo& component : components) names.push_back(component.name);
  return names;
}

const KindInfo* Catalog::kind(std::string_view name) const {
  for (const KindInfo& kind : kinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

std::vector<Field> node_fields() {
  return {
      {"when", "Modes in which it runs.", TypeOf<Modes>::type(),
       TypeOf<Modes>::write(Modes::all())},
      {"from", "When it starts, such as 3ep.", TypeOf<Time>::type(), TypeOf<Time>::write(Time{})},
      {"until", "When it stops; never by default.", TypeOf<std::optional<Time>>::type(), Node()},
      {"every",
       "How often it runs while it is on, such as 3st for every third step, or 2ep for every "
       "second "
       "epoch; always by default.",
       TypeOf<std::optional<Time>>::type(), Node()},
      {"offset", "With every: when the first turn is; 0 by default.",
       TypeOf<std::optional<Time>>::type(), Node()}};
}

std::vector<Field> layer_fields() {
  using Texts = std::vector<std::string>;
  return {{"name", "What it is called among the layers around it; its number when left out.",
           TypeOf<std::optional<std::string>>::type(), Node()},
          {"in", "In a graph: names of the values it takes; what came before when left out.",
           TypeOf<std::optional<Texts>>::type(), Node()},
          {"out", "In a graph: names of the values it gives; its own name when left out.",
           TypeOf<std::optional<Texts>>::type(), Node()},
          {"init",
           "First values of parameters below it, by their paths or by patterns of these, such as "
           "`{weight: xavier_normal, bias: zeros}`. Of those that match, the last counts.",
           TypeOf<std::optional<std::map<std::string, Choice<Initializer>>>>::type(), Node()},
          {"activation",
           "A layer that takes what it gives, such as relu; in a sequential, a graph or a block.",
           TypeOf<std::optional<Choice<Layer>>>::type(), Node()},
          {"regularize",
           "What parameters below it cost as a part of the loss, by their paths or by patterns of "
           "these, such as `{weight: {l2: 0.001}}`. Of those that match, the last counts.",
           TypeOf<std::optional<std::map<std::string, WeightPrices>>>::type(), Node()},
          {"defaults",
           "Options of layers inside it, by the name of the layer, such as `{conv2d: {bias: "
           "false}}`. What a layer says itself counts, then what the innermost defaults say.",
           TypeOf<LayerDefaults>::type(), Node()}};
}

}  // namespace hearth
