// Names that belong elsewhere, and forms of other frameworks.
#include "hearth/config/hint.h"

#include <algorithm>

#include "hearth/base/other_words.h"
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"

namespace hearth {
namespace {

std::optional<std::string> path_below(const SchemaInfo& schema, const std::string& name) {
  if (schema.find(name) != nullptr) return name;
  for (const Field& field : schema.fields) {
    if (field.type.kind != TypeKind::kOptions) continue;
    if (const auto found = path_below(*field.type.options, name)) return field.name + "." + *found;
  }
  return std::nullopt;
}

// lr stands in the options of what fills the place `optimizer`.
std::optional<std::string> path_in_component(const Catalog& catalog, const std::string& name) {
  for (const Field& field : catalog.experiment.fields) {
    if (field.type.kind != TypeKind::kChoice) continue;
    std::vector<std::string> found;
    if (const KindInfo* kind = catalog.kind(field.type.component_kind))
      for (const ComponentInfo& component : kind->components)
        if (component.schema.find(name) != nullptr) found.push_back(component.name);
    // To name another one than the config has would choose it.
    if (!found.empty())
      return field.name + "." + (found.size() == 1 ? found[0] : "<name>") + "." + name;
  }
  return std::nullopt;
}

// Whether the path leads to options of the config itself, not to those of a component.
bool is_part_of_config(const SchemaInfo& schema, const std::string& path) {
  if (path.empty()) return true;
  const size_t dot = std::min(path.find('.'), path.size());
  const Field* field = schema.find(path.substr(0, dot));
  if (field == nullptr || field->type.kind != TypeKind::kOptions) return false;
  return is_part_of_config(*field->type.options, dot == path.size() ? "" : path.substr(dot + 1));
}

std::string form_with(const std::string& name, const Node& node, const std::string& naming_key) {
  std::vector<std::string> options;
  for (const std::string& key : node.keys())
    if (key != naming_key) options.push_back(key + ": ...");
  return options.empty() ? "`" + name + "`" : "`{" + name + ": {" + join(options, ", ") + "}}`";
}

}  // namespace

std::optional<std::string> option_path(const std::string& name, const Catalog& catalog) {
  if (auto path = path_below(catalog.experiment, name)) return path;
  for (const std::string& word : hearth_words_for(name))
    if (auto path = path_below(catalog.experiment, word)) return path;
  if (auto path = path_in_component(catalog, name)) return path;
  for (const std::string& word : hearth_words_for(name))
    if (auto path = path_in_component(catalog, word)) return path;
  return std::nullopt;
}

std::string option_hint(const std::string& name, const SchemaInfo& schema, const std::string& path,
                        const Catalog& catalog) {
  if (!nearest(name, schema.names()) && is_part_of_config(catalog.experiment, path))
    if (const auto elsewhere = option_path(name, catalog))
      return " Did you mean " + quote(*elsewhere) + "?";
  return did_you_mean(name, schema.names());
}

std::optional<std::string> foreign_form(const Node& node, const KindInfo& kind) {
  for (const std::string key : kNamingKeys) {
    const Node* named = node.find(key);
    if (named == nullptr || !named->is_scalar() || kind.find(key) != nullptr) continue;
    const std::vector<std::string> names = kind.names();
    const std::string start = "names its component by " + quote(key) +
                              ", but in Hearth the component's name is the key: ";
    if (kind.find(named->text()) != nullptr)
      return start + form_with(named->text(), node, key) + ".";
    if (const auto near = nearest(named->text(), names))
      return start + form_with(*near, node, key) + ".";
    return start + form_with("NAME", node, key) + ", with one of " + join(names, ", ") + ".";
  }
  return std::nullopt;
}

}  // namespace hearth
