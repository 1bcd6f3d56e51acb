// An option by its path.
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/reference.h"

namespace hearth {
namespace {

// "ops[0]" to "ops".
std::string without_index(const std::string& step) { return step.substr(0, step.find('[')); }

// What stands below a list is what stands below any of its items.
Type item_type(Type type) {
  while (type.kind == TypeKind::kList) type = Type(*type.element);
  return type;
}

Field component_field(const KindInfo& kind, const ComponentInfo& component) {
  return {
      component.name, component.help, options_type(component_schema(kind, component)), {}, false};
}

std::optional<Field> field_below(const Field& field, const std::string& name,
                                 const Catalog& catalog) {
  const Type type = item_type(field.type);
  const KindInfo* alone = type.may_stand_alone ? kind_taken(type, catalog) : nullptr;
  if (alone != nullptr && alone->find(name) != nullptr)
    return component_field(*alone, *alone->find(name));
  if (type.kind == TypeKind::kMap) return Field{name, field.help, *type.element, {}, false};
  if (type.kind == TypeKind::kOptions) {
    const Field* found = type.options->find(name);
    return found == nullptr ? std::nullopt : std::optional<Field>(*found);
  }
  const KindInfo* kind = kind_taken(type, catalog);
  const ComponentInfo* component = kind == nullptr ? nullptr : kind->find(name);
  if (component == nullptr) return std::nullopt;
  return component_field(*kind, *component);
}

std::optional<Field> walk(std::optional<Field> field, const std::vector<std::string>& steps,
                          const Catalog& catalog) {
  for (const std::string& step : steps)
    if (field) field = field_below(*field, without_index(step), catalog);
  return field;
}

}  // namespace

std::optional<Field> option_at(const Catalog& catalog, const std::string& path) {
  const std::vector<std::string> steps = split(path, '.');
  const Field whole{"", "", options_type(catalog.experiment), {}, false};
  std::optional<Field> found = walk(whole, steps, catalog);
  const std::vector<std::string> rest(steps.begin() + 1, steps.end());
  for (const KindInfo& kind : catalog.kinds)
    if (const ComponentInfo* component = kind.find(steps.front());
        component && !found && !rest.empty())
      found = walk(component_field(kind, *component), rest, catalog);
  if (found) found->name = path;
  return found;
}

}  // namespace hearth
