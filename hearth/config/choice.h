// A component by name with its options: what `optimizers::adamw({.lr = 0.001})` returns and what
// YAML's `adamw: {lr: 0.001}` becomes. It describes; the registry builds.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/kinds.h"
#include "hearth/config/mode.h"
#include "hearth/config/node.h"
#include "hearth/config/schema.h"
#include "hearth/config/time.h"

namespace hearth {

template <class Base>
class Choice {
 public:
  Choice() = default;
  Choice(std::string name, Node options) : name_(std::move(name)), options_(std::move(options)) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Node& options() const { return options_; }
  [[nodiscard]] bool is_empty() const { return name_.empty(); }

  // Limits the node to some modes, or to a stretch of training; gives an option any other value,
  // for instance a schedule. Each returns the changed choice, so that calls chain.
  [[nodiscard]] Choice when(Modes modes) const { return with("when", TypeOf<Modes>::write(modes)); }
  [[nodiscard]] Choice from(Time time) const { return with("from", TypeOf<Time>::write(time)); }
  [[nodiscard]] Choice until(Time time) const { return with("until", TypeOf<Time>::write(time)); }
  [[nodiscard]] Choice every(Time time) const { return with("every", TypeOf<Time>::write(time)); }
  [[nodiscard]] Choice offset(Time time) const { return with("offset", TypeOf<Time>::write(time)); }
  template <class Other>
  [[nodiscard]] Choice with(std::string option, const Choice<Other>& value) const {
    return with(std::move(option), value.node());
  }
  [[nodiscard]] Choice with(std::string option, Node value) const {
    Choice changed = *this;
    changed.options_.set(std::move(option), std::move(value));
    return changed;
  }

  // The YAML form: {name: {options}}.
  [[nodiscard]] Node node() const {
    return Node::map({{name_, options_.mark(), options_}}, options_.mark());
  }

 private:
  std::string name_;
  Node options_ = Node::map();
};

// The factory every component's header offers is one line of this.
template <class Base, class Options>
[[nodiscard]] Choice<Base> choose(std::string name, const Options& options) {
  return {std::move(name), Options::schema().write(options)};
}

// One component, or several by name: `.eval = digits()`, `.eval = {{"clean", digits()}, ...}`. The
// one has no name. TypeOf is defined where the kind's components are known.
template <class Base>
class NamedChoices {
 public:
  using Named = std::pair<std::string, Choice<Base>>;
  NamedChoices() = default;
  NamedChoices(Choice<Base> alone) : all_{{"", std::move(alone)}} {}  // NOLINT: implicit
  NamedChoices(std::vector<Named> all) : all_(std::move(all)) {}      // NOLINT: implicit
  NamedChoices(std::initializer_list<Named> all) : all_(all) {}
  [[nodiscard]] const std::vector<Named>& all() const { return all_; }

 private:
  std::vector<Named> all_;
};

template <class Base>
struct TypeOf<Choice<Base>> {
  static Type type() {
    Type type;
    type.kind = TypeKind::kChoice;
    type.component_kind = KindOf<Base>::name;
    return type;
  }
  // The node is `name` or `{name: options}`; validation has seen to that.
  static Choice<Base> read(const Node& node) {
    if (node.is_scalar()) return {node.text(), Node::map({}, node.mark())};
    if (node.is_map() && node.entries().size() == 1) {
      const auto& entry = node.entries().front();
      return {entry.key, entry.value.is_null() ? Node::map({}, entry.mark) : entry.value};
    }
    return {};
  }
  static Node write(const Choice<Base>& choice) {
    return choice.is_empty() ? Node() : choice.node();
  }
};

}  // namespace hearth
