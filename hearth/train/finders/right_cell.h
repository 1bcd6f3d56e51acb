// A cell of a table of numbers, which end one below the other.
#pragma once

#include <algorithm>
#include <string>

#include "hearth/base/letters.h"

namespace hearth {

[[nodiscard]] inline std::string right_cell(const std::string& text, size_t width) {
  return std::string(width - std::min(width, letter_count(text)), ' ') + text;
}

}  // namespace hearth
