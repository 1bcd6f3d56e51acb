// Options of layers that a scope around them gives.
#include "hearth/nn/layer_scope.h"

#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/description_edits.h"

namespace hearth {
namespace {

void gather_kinds(const Layer& layer, std::set<std::string>& names) {
  for (const auto& [name, child] : layer.children()) {
    names.insert(child->choice().name());
    gather_kinds(*child, names);
  }
}

}  // namespace

Choice<Layer> scoped(const Choice<Layer>& layer, const BuildContext& context) {
  if (context.scope == nullptr) return layer;
  const SchemaInfo schema = registry<Layer>().schema(layer.name(), layer.options().mark());
  return {layer.name(),
          context.scope->applied(layer.name(), layer.options(), schema, Given::kInConfig)};
}

void require_met(const OptionScope& scope, const Layer& owner) {
  const Node::Entry* unmet = scope.unmet();
  if (unmet == nullptr) return;
  std::set<std::string> kinds;
  gather_kinds(owner, kinds);
  at_place(unmet->mark, [&] {
    throw GraphError("defaults: no layer of " + quote(owner.path()) + " is a " + unmet->key + "." +
                     did_you_mean(unmet->key, {kinds.begin(), kinds.end()}));
  });
}

void refuse_activation(const Choice<Layer>& layer) {
  if (!has_shared_activation(layer)) return;
  refuse_options(layer, {"activation"},
                 "only a layer of a sequential, a graph or a block can. Put it into one.");
}

}  // namespace hearth
