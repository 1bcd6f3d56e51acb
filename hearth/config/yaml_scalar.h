// One text as a YAML scalar.
#pragma once

#include <string>
#include <string_view>

namespace hearth {

// Plain where that reads back the same, in quotes otherwise. `is_text` asks for quotes also where
// another YAML reader would see a number, a boolean or null. ConfigError for a text that YAML
// cannot hold: bytes that are not UTF-8, and NUL.
[[nodiscard]] std::string yaml_scalar(std::string_view text, bool is_text);

}  // namespace hearth
