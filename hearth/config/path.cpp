// The walk over a config that makes its paths absolute.
#include "hearth/config/path.h"

#include <filesystem>

#include "hearth/config/chosen.h"

namespace hearth {
namespace {

void resolve_value(Node& node, const Type& type, const Catalog& catalog);

void resolve_options(Node& node, const SchemaInfo& schema, const Catalog& catalog) {
  for (Node::Entry& entry : node.entries())
    if (const Field* field = schema.find(entry.key))
      resolve_value(entry.value, field->type, catalog);
}

void resolve_component(Node& node, const KindInfo& kind, const Catalog& catalog) {
  std::optional<Chosen> chosen = chosen_component(node);
  const ComponentInfo* info = chosen ? kind.find(chosen->name) : nullptr;
  if (info == nullptr || node.is_scalar()) return;
  resolve_options(chosen->options, component_schema(kind, *info), catalog);
  node = component_node(*chosen, node.mark());
}

void resolve_value(Node& node, const Type& type, const Catalog& catalog) {
  if (type.kind == TypeKind::kPath && node.is_scalar())
    node = Node::scalar(absolute_path(node), node.mark(), node.is_quoted());
  if (names_component(node, type, catalog))
    return resolve_component(node, *kind_taken(type, catalog), catalog);
  if (type.kind == TypeKind::kOptions) resolve_options(node, *type.options, catalog);
  if (type.kind == TypeKind::kList && !node.is_list())
    return resolve_value(node, *type.element, catalog);
  if (!type.element) return;
  for (Node& item : node.items()) resolve_value(item, *type.element, catalog);
  for (Node::Entry& entry : node.entries()) resolve_value(entry.value, *type.element, catalog);
}

// Line 0 marks an override, which has no folder of its own.
std::filesystem::path folder_of(const Mark& mark) {
  if (!mark.file || mark.line == 0) return {};
  return std::filesystem::path(*mark.file).parent_path();
}

}  // namespace

std::string absolute_path(const Node& value) {
  if (value.text().empty()) return "";
  return std::filesystem::absolute(folder_of(value.mark()) / value.text())
      .lexically_normal()
      .string();
}

Node with_absolute_paths(Node config, const SchemaInfo& schema, const Catalog& catalog) {
  resolve_options(config, schema, catalog);
  return config;
}

}  // namespace hearth
