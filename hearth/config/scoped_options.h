// Defaults of components inside a scope: `defaults: {conv2d: {bias: false}}` gives every conv2d in
// it, however deep, this option, unless the component itself or a scope further inside says other.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/config/node.h"
#include "hearth/config/type.h"

namespace hearth {

// The option's value: some options of some components of a kind, by their names.
template <class Base>
class ScopedOptions {
 public:
  ScopedOptions() = default;
  explicit ScopedOptions(Node by_component) : by_component_(std::move(by_component)) {}

  // In C++: LayerDefaults().with("conv2d", layers::Conv2dOptions{.bias = false}). What is as in
  // `Options{}` is left out.
  template <class Options>
  [[nodiscard]] ScopedOptions with(const std::string& component, const Options& options) const {
    Node changed = Node::map();
    const Node usual = Options::schema().write(Options{});
    const Node given = Options::schema().write(options);
    for (const Node::Entry& entry : given.entries())
      if (!(entry.value == *usual.find(entry.key))) changed.set(entry.key, entry.value);
    ScopedOptions result = *this;
    result.by_component_.set(component, std::move(changed));
    return result;
  }

  [[nodiscard]] const Node& node() const { return by_component_; }  // null when there are none

 private:
  Node by_component_;
};
using LayerDefaults = ScopedOptions<Layer>;

// A map of maps whose names are components of a kind and their options; validation looks them up.
[[nodiscard]] Type scoped_options_type(std::string component_kind);
[[nodiscard]] bool is_scoped_options(const Type& type);

template <class Base>
struct TypeOf<ScopedOptions<Base>> {
  static Type type() { return scoped_options_type(KindOf<Base>::name); }
  static ScopedOptions<Base> read(const Node& node) { return ScopedOptions<Base>(node); }
  static Node write(const ScopedOptions<Base>& options) { return options.node(); }
};

// What counts as given by the component itself, though a scope has a default for it. C++ writes all
// options out, so that those which stand in no file count where they differ from the usual.
enum class Given { kInFile, kInConfig };

// One scope with those around it, while a walk is inside of it.
class OptionScope {
 public:
  OptionScope(const OptionScope* outer, const Node& by_component)
      : outer_(outer), by_component_(by_component) {}

  // The options with what this scope and those around it add, the inner ones first.
  [[nodiscard]] Node applied(const std::string& component, const Node& options,
                             const SchemaInfo& schema, Given given) const;
  // Marks a component as met, here and in all scopes around.
  void meet(const std::string& component) const;
  // The first entry whose component was never met.
  [[nodiscard]] const Node::Entry* unmet() const;

 private:
  const OptionScope* outer_;
  const Node& by_component_;
  mutable std::vector<std::string> met_;
};

}  // namespace hearth
