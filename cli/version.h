// Which Hearth this is, and how it was built.
#pragma once

#include <string>

namespace hearth::cli {

// "hearth 0.1.0", build type, compiler and LibTorch, a line each.
[[nodiscard]] std::string version_text();

}  // namespace hearth::cli
