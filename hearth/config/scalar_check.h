// One scalar against its type.
#pragma once

#include <optional>
#include <string>

#include "hearth/config/node.h"
#include "hearth/config/type.h"

namespace hearth {

// What is wrong with a node that must be a boolean, number, text, time, mode or one of some values.
// Whether the number is within the type's limits.
[[nodiscard]] bool is_within(double value, const Type& type);

[[nodiscard]] std::optional<std::string> scalar_fault(const Node& node, const Type& type);

}  // namespace hearth
