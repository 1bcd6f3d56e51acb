// Names by pattern: `layer1.*.conv?`.
#pragma once

#include <string_view>

namespace hearth {

// Whether the whole text fits: `*` stands for any letters, also none and also dots, `?` for one.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

}  // namespace hearth
