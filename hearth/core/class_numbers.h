// Whether equal numbers mean the same class in two sets of data.
#pragma once

#include <optional>
#include <string>

#include "hearth/core/spec.h"

namespace hearth {

// A key as one place has it.
struct PlacedSpec {
  const Spec& spec;
  std::string place;
};

// "class 1 is 'dog' in data.train, but 'fish' in data.eval"; nothing where both name the same, or
// one of them names none.
[[nodiscard]] std::optional<std::string> class_difference(const PlacedSpec& first,
                                                          const PlacedSpec& second);

}  // namespace hearth
