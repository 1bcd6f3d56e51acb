// The walk: a node and its type side by side.
#include "hearth/config/walk.h"

#include "hearth/config/chosen.h"

namespace hearth {
namespace {

void walk_component(Node& node, const KindInfo& kind, const Catalog& catalog,
                    const OptionsVisit& visit) {
  std::optional<Chosen> chosen = chosen_component(node);
  const ComponentInfo* info = chosen ? kind.find(chosen->name) : nullptr;
  if (info == nullptr || node.is_scalar()) return;
  for_each_options(chosen->options, component_schema(kind, *info), catalog, visit);
  node = component_node(*chosen, node.mark());
}

}  // namespace

void for_each_options(Node& options, const SchemaInfo& schema, const Catalog& catalog,
                      const OptionsVisit& visit) {
  visit(options, schema);
  for (Node::Entry& entry : options.entries())
    if (const Field* field = schema.find(entry.key))
      for_each_options(entry.value, field->type, catalog, visit);
}

void for_each_options(Node& value, const Type& type, const Catalog& catalog,
                      const OptionsVisit& visit) {
  if (names_component(value, type, catalog))
    return walk_component(value, *kind_taken(type, catalog), catalog, visit);
  if (type.kind == TypeKind::kOptions)
    return for_each_options(value, *type.options, catalog, visit);
  if (!type.element) return;
  if (type.kind == TypeKind::kList && !value.is_list())
    return for_each_options(value, *type.element, catalog, visit);
  for (Node& item : value.items()) for_each_options(item, *type.element, catalog, visit);
  for (Node::Entry& entry : value.entries())
    for_each_options(entry.value, *type.element, catalog, visit);
}

}  // namespace hearth
