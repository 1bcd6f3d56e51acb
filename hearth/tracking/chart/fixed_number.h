// Numbers with so many places behind the point.
#pragma once

#include <string>

namespace hearth {

[[nodiscard]] std::string fixed_number(double value, int places);

}  // namespace hearth
