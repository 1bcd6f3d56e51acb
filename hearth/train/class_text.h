// A class by its name, or by its number where it has none.
#pragma once

#include <string>

#include "hearth/core/spec.h"

namespace hearth {

[[nodiscard]] inline std::string class_text(const Spec& spec, int64_t number) {
  if (number >= 0 && number < static_cast<int64_t>(spec.class_names.size()))
    return spec.class_names[static_cast<size_t>(number)];
  return std::to_string(number);
}

}  // namespace hearth
