// Paths of a config, made absolute.
#include "hearth/config/path.h"

#include <filesystem>

#include "hearth/config/walk.h"

namespace hearth {
namespace {

// Line 0 marks an override, which has no folder of its own.
std::filesystem::path folder_of(const Mark& mark) {
  if (!mark.file || mark.line == 0) return {};
  return std::filesystem::path(*mark.file).parent_path();
}

// A path, or a list or a map of them.
void resolve_value(Node& node, const Type& type) {
  if (type.kind == TypeKind::kPath && node.is_scalar())
    node = Node::scalar(absolute_path(node), node.mark(), node.is_quoted());
  if (!type.element) return;
  if (type.kind == TypeKind::kList && !node.is_list()) return resolve_value(node, *type.element);
  for (Node& item : node.items()) resolve_value(item, *type.element);
  for (Node::Entry& entry : node.entries()) resolve_value(entry.value, *type.element);
}

void resolve_options(Node& options, const SchemaInfo& schema) {
  for (Node::Entry& entry : options.entries())
    if (const Field* field = schema.find(entry.key)) resolve_value(entry.value, field->type);
}

}  // namespace

std::string absolute_path(const Node& value) {
  if (value.text().empty()) return "";
  return std::filesystem::absolute(folder_of(value.mark()) / value.text())
      .lexically_normal()
      .string();
}

Node with_absolute_paths(Node config, const SchemaInfo& schema, const Catalog& catalog) {
  for_each_options(config, schema, catalog, resolve_options);
  return config;
}

Node with_absolute_paths(Node value, const Type& type, const Catalog& catalog) {
  for_each_options(value, type, catalog, resolve_options);
  return value;
}

}  // namespace hearth
