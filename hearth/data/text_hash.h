// Finds texts in a map by views of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace hearth {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace hearth
