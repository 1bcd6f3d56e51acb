// A value in a few words, for people.
#pragma once

#include <string>

#include "hearth/data/value.h"

namespace hearth {

// "7 (seven)" of a class, "'a text'", "[3, 5] of -0.2 to 1.4, mean 0.1".
[[nodiscard]] std::string value_text(const View& value);

}  // namespace hearth
