// Defaults of components inside a scope.
#include "hearth/config/scoped_options.h"

#include <algorithm>

namespace hearth {
namespace {

bool stands_in_config(const Mark& mark, Given given) {
  return mark.file || (given == Given::kInConfig && mark.path);
}

bool is_given(const Node& options, const std::string& name, const SchemaInfo& schema, Given given) {
  for (const Node::Entry& entry : options.entries()) {
    if (entry.key != name) continue;
    if (stands_in_config(entry.mark, given) || stands_in_config(entry.value.mark(), given))
      return true;
    const Field* field = schema.find(name);
    return field == nullptr || !(entry.value == field->default_value);
  }
  return false;
}

}  // namespace

Type scoped_options_type(std::string component_kind) {
  Type options;
  options.kind = TypeKind::kMap;
  options.element = std::make_shared<const Type>();
  Type type;
  type.kind = TypeKind::kMap;
  type.is_optional = true;
  type.component_kind = std::move(component_kind);
  type.element = std::make_shared<const Type>(std::move(options));
  return type;
}

bool is_scoped_options(const Type& type) {
  return type.kind == TypeKind::kMap && !type.component_kind.empty();
}

Node OptionScope::applied(const std::string& component, const Node& options,
                          const SchemaInfo& schema, Given given) const {
  meet(component);
  Node result = options;
  std::vector<std::string> settled;
  for (const OptionScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const Node* defaults = scope->by_component_.find(component);
    if (defaults == nullptr) continue;
    for (const Node::Entry& entry : defaults->entries()) {
      if (std::find(settled.begin(), settled.end(), entry.key) != settled.end()) continue;
      settled.push_back(entry.key);
      if (is_given(options, entry.key, schema, given)) continue;
      result.erase(entry.key);
      result.entries().push_back(entry);
    }
  }
  return result;
}

void OptionScope::meet(const std::string& component) const {
  for (const OptionScope* scope = this; scope != nullptr; scope = scope->outer_)
    if (std::find(scope->met_.begin(), scope->met_.end(), component) == scope->met_.end())
      scope->met_.push_back(component);
}

const Node::Entry* OptionScope::unmet() const {
  for (const Node::Entry& entry : by_component_.entries())
    if (std::find(met_.begin(), met_.end(), entry.key) == met_.end()) return &entry;
  return nullptr;
}

}  // namespace hearth
