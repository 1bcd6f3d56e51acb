// Laying one config over another.
#include "hearth/config/merge.h"

#include "hearth/config/chosen.h"
#include "hearth/config/merge_value.h"

namespace hearth {
namespace {

Node merge_maps(const Node& base, const Node& over, const Type& type, const Catalog& catalog) {
  Node merged = base;
  for (const Node::Entry& entry : over.entries()) {
    Node* known = merged.find(entry.key);
    const std::optional<Type> below = type_below(type, entry.key);
    if (known == nullptr)
      merged.entries().push_back(entry);
    else
      *known = below ? merge_value(*known, entry.value, *below, catalog) : entry.value;
  }
  return merged;
}

// The same component keeps its options; another one starts with its own.
Node merge_components(const Node& base, const Node& over, const KindInfo& kind,
                      const Catalog& catalog) {
  const std::optional<Chosen> before = chosen_component(base);
  std::optional<Chosen> after = chosen_component(over);
  if (!before || !after || before->name != after->name) return over;
  const ComponentInfo* info = kind.find(after->name);
  if (info == nullptr) return over;
  const Type options = options_type(component_schema(kind, *info));
  after->options = merge_value(before->options, after->options, options, catalog);
  return component_node(*after, over.mark());
}

}  // namespace

Node merge_value(const Node& base, const Node& over, const Type& type, const Catalog& catalog) {
  if (names_component(base, type, catalog) && names_component(over, type, catalog))
    return merge_components(base, over, *kind_taken(type, catalog), catalog);
  // One component is no part of several by name.
  if (type.may_stand_alone &&
      names_component(base, type, catalog) != names_component(over, type, catalog))
    return over;
  const bool takes_map = type.kind == TypeKind::kOptions || type.kind == TypeKind::kMap;
  if (takes_map && base.is_map() && over.is_map()) return merge_maps(base, over, type, catalog);
  return over;
}

Node merge(const Node& base, const Node& over, const SchemaInfo& schema, const Catalog& catalog) {
  return merge_value(base, over, options_type(schema), catalog);
}

}  // namespace hearth
