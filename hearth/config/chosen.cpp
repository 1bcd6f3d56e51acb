// Components as nodes name them.
#include "hearth/config/chosen.h"

#include <algorithm>
#include <iterator>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

std::optional<Chosen> chosen_component(const Node& node) {
  if (node.is_scalar()) return Chosen{node.text(), node.mark(), Node::map({}, node.mark())};
  if (!node.is_map() || node.entries().size() != 1) return std::nullopt;
  const Node::Entry& entry = node.entries().front();
  return Chosen{entry.key, entry.mark,
                entry.value.is_null() ? Node::map({}, entry.mark) : entry.value};
}

Node component_node(const Chosen& chosen, const Mark& mark) {
  return Node::map({{chosen.name, chosen.mark, chosen.options}}, mark);
}

bool is_lone_component(const Node& node, const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const auto names_known = [&](const Node& value) {
    const std::optional<Chosen> chosen = chosen_component(value);
    return chosen && is_known(chosen->name);
  };
  const auto is_foreign = [&](const char* key) {
    const Node* named = node.find(key);
    return named != nullptr && named->is_scalar();
  };
  if (!node.is_map() || names_known(node)) return true;
  if (std::any_of(std::begin(kNamingKeys), std::end(kNamingKeys), is_foreign)) return true;
  // {split: train} below a misspelt name is an option of it, though a source is called so too.
  return std::none_of(node.entries().begin(), node.entries().end(), [&](const Node::Entry& entry) {
    const std::optional<Chosen> chosen = chosen_component(entry.value);
    return chosen && is_known(chosen->name) && chosen->options.is_map();
  });
}

const KindInfo* kind_taken(const Type& type, const Catalog& catalog) {
  if (type.may_stand_alone) return kind_taken(*type.element, catalog);
  if (type.kind == TypeKind::kMap) return nullptr;
  const std::string name = type.is_scheduled ? "schedule" : type.component_kind;
  if (name.empty()) return nullptr;
  if (const KindInfo* kind = catalog.kind(name)) return kind;
  throw InternalError("the catalog has no components of kind " + quote(name) + ".");
}

bool names_component(const Node& node, const Type& type, const Catalog& catalog) {
  const KindInfo* kind = kind_taken(type, catalog);
  if (kind == nullptr || node.is_null()) return false;
  if (type.may_stand_alone) return is_lone_component(node, kind->names());
  if (!type.is_scheduled || node.is_map()) return true;
  return node.is_scalar() && kind->find(node.text()) != nullptr;
}

SchemaInfo own_schema(const KindInfo& kind, const ComponentInfo& component) {
  SchemaInfo schema = component.schema;
  if (kind.numbers_may_be_scheduled) schema.let_numbers_change_by_epoch();
  return schema;
}

SchemaInfo component_schema(const KindInfo& kind, const ComponentInfo& component) {
  SchemaInfo schema = own_schema(kind, component);
  for (const Field& shared : kind.shared)
    if (schema.find(shared.name) == nullptr) schema.fields.push_back(shared);
  return schema;
}

Type options_type(SchemaInfo schema) {
  Type type;
  type.kind = TypeKind::kOptions;
  type.options = std::make_shared<const SchemaInfo>(std::move(schema));
  return type;
}

std::optional<Type> type_below(const Type& type, const std::string& key) {
  if (type.kind == TypeKind::kMap) return *type.element;
  if (type.kind != TypeKind::kOptions) return std::nullopt;
  const Field* field = type.options->find(key);
  return field ? std::optional<Type>(field->type) : std::nullopt;
}

std::string unknown_component_message(const std::string& kind, const Node& came,
                                      const std::vector<std::string>& known) {
  constexpr size_t kMostNames = 12;  // a longer list hides the suggestion
  const std::string near = came.is_scalar() ? suggestion(came.text(), known) : "";
  std::string message = "expected a component of kind " + kind;
  if (known.size() <= kMostNames)
    message += " (one of " + join(known, ", ") + ")";
  else if (near.empty())
    message += " (`hearth list " + kind + "` names them)";
  return message + ", but got " + came.describe() + "." + near;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::optional<std::string> near = nearest(name, known);
  return near ? " Did you mean " + quote(*near) + "?" : "";
}

}  // namespace hearth
