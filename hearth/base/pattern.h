// Names by pattern: `layer1.*.conv?`.
#pragma once

#include <string_view>

namespace hearth {

// Whether the whole text fits: `*` stands for any letters, also none and also dots, `?` for one.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);
// The same for a path of names with dots, or for the beginning of one: a pattern of a layer's path
// means all parameters below it.
[[nodiscard]] bool matches_within(std::string_view pattern, std::string_view path);

}  // namespace hearth
