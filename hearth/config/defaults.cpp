// The config in full: every default written out.
#include "hearth/config/chosen.h"
#include "hearth/config/scoped_options.h"
#include "hearth/config/validate.h"

namespace hearth {
namespace {

class DefaultFiller {
 public:
  explicit DefaultFiller(const Catalog& catalog, const OptionScope* scope = nullptr)
      : catalog_(catalog), scope_(scope) {}

  // Fills what lies in a scope of its own with the defaults of that scope.
  Node options(const Node& node, const SchemaInfo& schema, size_t filled) const {
    for (const Field& field : schema.fields) {
      const Node* defaults = is_scoped_options(field.type) ? node.find(field.name) : nullptr;
      if (defaults == nullptr || !defaults->is_map()) continue;
      const OptionScope scope(scope_, *defaults);
      return DefaultFiller(catalog_, &scope).plain_options(node, schema, filled);
    }
    return plain_options(node, schema, filled);
  }

 private:
  // Fills the first `filled` fields; the later ones stay as they are given.
  Node plain_options(const Node& node, const SchemaInfo& schema, size_t filled) const {
    Node full = Node::map({}, node.mark());
    if (schema.is_by_time(node)) filled = 0;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const Field& field = schema.fields[i];
      if (field.is_by_time) continue;
      if (const Node::Entry* given = entry_of(node, field.name))
        full.entries().push_back({given->key, given->mark, value(given->value, field.type)});
      else if (i < filled && !field.is_required)
        full.set(field.name,
                 value(marked(field.default_value, node.mark().below(field.name)), field.type));
    }
    for (const Node::Entry& entry : node.entries()) {
      const Field* field = schema.find(entry.key);
      if (field == nullptr)
        full.entries().push_back(entry);
      else if (field->is_by_time)
        full.entries().push_back({entry.key, entry.mark, value(entry.value, field->type)});
    }
    return full;
  }

  static const Node::Entry* entry_of(const Node& node, const std::string& key) {
    for (const Node::Entry& entry : node.entries())
      if (entry.key == key) return &entry;
    return nullptr;
  }

  // A default has no place of its own; the map that left it out is the nearest one.
  static Node marked(Node node, const Mark& mark) {
    node.set_mark(mark);
    for (Node& item : node.items()) item = marked(std::move(item), mark);
    for (Node::Entry& entry : node.entries())
      entry = {entry.key, mark, marked(std::move(entry.value), mark)};
    return node;
  }

  Node value(const Node& node, const Type& type) const {
    if (names_component(node, type, catalog_)) return component(node, *kind_taken(type, catalog_));
    if (node.is_null() && type.is_optional) return node;
    if (type.kind == TypeKind::kOptions && (node.is_map() || node.is_null()))
      return options(node, *type.options, type.options->fields.size());
    if (type.kind == TypeKind::kList && type.may_stand_alone && !node.is_list()) return node;
    if (type.kind == TypeKind::kList) return list(node, *type.element);
    if (type.kind == TypeKind::kMap) return map(node, *type.element);
    return node;
  }

  Node component(const Node& node, const KindInfo& kind) const {
    std::optional<Chosen> chosen = chosen_component(node);
    const ComponentInfo* info = chosen ? kind.find(chosen->name) : nullptr;
    if (info == nullptr || !chosen->options.is_map()) return node;
    const SchemaInfo schema = component_schema(kind, *info);
    if (scope_ != nullptr && kind.name == KindOf<Layer>::name)
      chosen->options = scope_->applied(chosen->name, chosen->options, schema, Given::kInFile);
    chosen->options = options(chosen->options, schema, info->schema.fields.size());
    return component_node(*chosen, node.mark());
  }

  Node list(const Node& node, const Type& element) const {
    Node full = Node::list({}, node.mark());
    if (!node.is_list() && !node.is_null()) full.items().push_back(value(node, element));
    for (const Node& item : node.items()) full.items().push_back(value(item, element));
    return full;
  }

  Node map(const Node& node, const Type& element) const {
    Node full = Node::map({}, node.mark());
    for (const Node::Entry& entry : node.entries())
      full.entries().push_back({entry.key, entry.mark, value(entry.value, element)});
    return full;
  }

  const Catalog& catalog_;
  const OptionScope* scope_;
};

}  // namespace

Node with_defaults(const Node& config, const SchemaInfo& schema, const Catalog& catalog) {
  return DefaultFiller(catalog).options(config, schema, schema.fields.size());
}

}  // namespace hearth
