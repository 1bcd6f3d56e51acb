// Which build of the program this is.
#pragma once

#include <string>

namespace hearth {

// What the linker wrote into the library or program that holds `address`, in hexadecimal digits:
// the same for the same code. "unknown" where it wrote nothing.
[[nodiscard]] std::string build_id(const void* address);

}  // namespace hearth
