// The one rule for names that become files or folders.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hearth/config/type.h"

namespace hearth {

inline constexpr size_t kLongestFileName = 100;

// What is wrong with the name, as "must ..., but is ..."; nothing when it is fit. A file's name has
// letters, digits, '.', '_' and '-', and starts with none of '.' and '-'. A checkpoint's name is
// also none that the run gives by itself: 'last' and 'step-...'.
[[nodiscard]] std::optional<std::string> name_fault(std::string_view name, NameRule rule);

// The same as a regular expression, for editors; without the length.
[[nodiscard]] std::string name_pattern(NameRule rule);

}  // namespace hearth
