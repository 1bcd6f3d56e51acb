// Which Hearth this is, and how it was built.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hearth::cli {

// Version, build type, compiler and LibTorch by name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> version_facts();

}  // namespace hearth::cli
