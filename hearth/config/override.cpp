// One override applied to a config: the path is walked with the schema.
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/hint.h"
#include "hearth/config/merge.h"
#include "hearth/config/merge_value.h"
#include "hearth/config/override_path.h"

namespace hearth {
namespace {

class OverrideWalk {
 public:
  OverrideWalk(const Override& what, const Catalog& catalog) : what_(what), catalog_(catalog) {}

  // Changes `node`, which `path` names, below its first `done` steps.
  void walk(Node& node, const Type& type, size_t done, const std::string& path) const {
    if (done == what_.path.size()) return assign(node, type, path);
    const PathStep& step = what_.path[done];
    if (step.is_index()) return item(node, type, done, path);
    if (takes_component(node, type, step)) return component(node, type, done, path);
    if (type.kind == TypeKind::kOptions || type.kind == TypeKind::kMap)
      return entry(node, type, done, path);
    if (type.kind == TypeKind::kList)
      fail(quote(path) + " is a list; choose an item, such as " + path + "[0].");
    fail(quote(path) + " is of type " + type.label() + " and has nothing inside.");
  }

 private:
  // Of several components by name, a step is the name of one.
  [[nodiscard]] bool takes_component(const Node& node, const Type& type,
                                     const PathStep& step) const {
    const KindInfo* kind = kind_taken(type, catalog_);
    if (kind == nullptr || !type.may_stand_alone) return kind != nullptr;
    return names_component(node, type, catalog_) || kind->find(step.name) != nullptr;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw_override_fault(what_.text, message);
  }
  static std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }
  const Mark& mark() const { return what_.value.mark(); }

  void assign(Node& node, const Type& type, const std::string& path) const {
    if (!what_.is_append) {
      node = merge_value(node, what_.value, type, catalog_);
      return;
    }
    if (type.kind != TypeKind::kList)
      fail(quote(path) + " is not a list, so nothing can be added.");
    make_list(node);
    if (what_.value.is_list())
      node.items().insert(node.items().end(), what_.value.items().begin(),
                          what_.value.items().end());
    else
      node.items().push_back(what_.value);
  }

  // A list may hold one value by shorthand.
  void make_list(Node& node) const {
    if (node.is_list()) return;
    node = node.is_null() ? Node::list({}, mark()) : Node::list({node}, node.mark());
  }

  void item(Node& node, const Type& type, size_t done, const std::string& path) const {
    if (type.kind != TypeKind::kList) fail(quote(path) + " is not a list.");
    make_list(node);
    const auto size = static_cast<int64_t>(node.items().size());
    const int64_t given = what_.path[done].index;
    const int64_t index = given < 0 ? given + size : given;
    if (index < 0 || index >= size)
      fail(quote(path) + " has " + std::to_string(size) + (size == 1 ? " item" : " items") +
           ", so there is no [" + std::to_string(given) + "].");
    walk(node.items()[static_cast<size_t>(index)], *type.element, done + 1,
         path + "[" + std::to_string(index) + "]");
  }

  void entry(Node& node, const Type& type, size_t done, const std::string& path) const {
    const std::string& name = what_.path[done].name;
    const std::optional<Type> inner = type_below(type, name);
    if (!inner) fail_unknown(path, name, *type.options);
    if (!node.is_map()) node = Node::map({}, mark());
    if (node.find(name) == nullptr)
      node.entries().push_back({name, mark(), start_value(type, name)});
    walk(*node.find(name), *inner, done + 1, below(path, name));
  }

  // Indices and += see the items of a list that the config leaves at its default.
  static Node start_value(const Type& type, const std::string& name) {
    if (type.kind != TypeKind::kOptions) return {};
    const Field* field = type.options->find(name);
    return field->type.kind == TypeKind::kList ? field->default_value : Node();
  }

  void component(Node& node, const Type& type, size_t done, const std::string& path) const {
    const KindInfo& kind = *kind_taken(type, catalog_);
    const std::string& name = what_.path[done].name;
    const ComponentInfo* info = kind.find(name);
    std::optional<Chosen> held = chosen_component(node);
    if (info == nullptr) fail_component(kind, held ? held->name : "", name, path);
    const bool is_same = held && held->name == name && held->options.is_map();
    if (!is_same) held = Chosen{name, mark(), Node::map({}, mark())};
    walk(held->options, options_type(component_schema(kind, *info)), done + 1, below(path, name));
    node = component_node(*held, is_same ? node.mark() : mark());
  }

  [[noreturn]] void fail_unknown(const std::string& path, const std::string& name,
                                 const SchemaInfo& schema) const {
    const std::optional<std::string> near = nearest(name, schema.names());
    fail("there is no option " + quote(below(path, name)) + "." +
         (near ? " Did you mean " + quote(below(path, *near)) + "?"
               : option_hint(name, schema, path, catalog_)));
  }

  // People leave the component's name out: optimizer.lr for optimizer.adamw.lr.
  [[noreturn]] void fail_component(const KindInfo& kind, const std::string& held,
                                   const std::string& name, const std::string& path) const {
    const ComponentInfo* info = kind.find(held);
    const bool is_option = info != nullptr && component_schema(kind, *info).find(name) != nullptr;
    const std::string hint = is_option
                                 ? " Did you mean " + quote(below(below(path, held), name)) + "?"
                                 : did_you_mean(name, kind.names());
    fail(quote(path) + " takes a component of kind " + kind.name + ", and none is called " +
         quote(name) + "." + hint);
  }

  const Override& what_;
  const Catalog& catalog_;
};

}  // namespace

Node apply_override(const Node& config, const std::string& text, const SchemaInfo& schema,
                    const Catalog& catalog) {
  const Override what = parse_override(text);
  Node changed = config;
  OverrideWalk(what, catalog).walk(changed, options_type(schema), 0, "");
  return changed;
}

}  // namespace hearth
