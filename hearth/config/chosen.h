// What a node chooses: which component it names, with which options, of which types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/catalog.h"

namespace hearth {

// A component's name and options as a node gives them; the options are never null.
struct Chosen {
  std::string name;
  Mark mark;
  Node options;
};

// Reads `name` and `{name: options}`; nothing for any other shape.
[[nodiscard]] std::optional<Chosen> chosen_component(const Node& node);
[[nodiscard]] Node component_node(const Chosen& chosen, const Mark& mark);

// By these other frameworks say which component is meant: {type: digits, split: train}.
inline constexpr const char* kNamingKeys[] = {"type",       "name",  "_target_",
                                              "class_name", "class", "kind"};

// Whether a value that may be one component, or several by name, is the one. A map that names no
// component anywhere counts as one that is misspelt; so does one in another framework's form.
[[nodiscard]] bool is_lone_component(const Node& node, const std::vector<std::string>& known);

// The kind whose components a value of this type may name, `schedule` for a scheduled number; null
// for the other types. InternalError when the catalog lacks the kind.
[[nodiscard]] const KindInfo* kind_taken(const Type& type, const Catalog& catalog);

// Whether the node names a component; a scheduled number may hold a number instead.
[[nodiscard]] bool names_component(const Node& node, const Type& type, const Catalog& catalog);

// A component's own fields, whose numbers may be scheduled when the kind says so.
[[nodiscard]] SchemaInfo own_schema(const KindInfo& kind, const ComponentInfo& component);
// All that its options map may hold: those, then the kind's shared ones.
[[nodiscard]] SchemaInfo component_schema(const KindInfo& kind, const ComponentInfo& component);

[[nodiscard]] Type options_type(SchemaInfo schema);

// The type below `key` in options or a map; nothing for an unknown key and for other types.
[[nodiscard]] std::optional<Type> type_below(const Type& type, const std::string& key);

// "expected a component of kind optimizer (one of adamw, sgd), but got 'adamx'. Did you mean ...?"
[[nodiscard]] std::string unknown_component_message(const std::string& kind, const Node& came,
                                                    const std::vector<std::string>& known);

// " Did you mean 'x'?", or nothing.
[[nodiscard]] std::string suggestion(const std::string& name,
                                     const std::vector<std::string>& known);

}  // namespace hearth
