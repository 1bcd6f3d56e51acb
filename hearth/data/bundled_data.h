// Where the data files that come with Hearth lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hearth {

// Looked at in this order: $HEARTH_DATA, share/hearth/data beside the library's folder, and beside
// the folder which that one is in.
[[nodiscard]] std::vector<std::filesystem::path> bundled_data_folders();

// The first of them that holds `name`; DataError lists the places tried.
[[nodiscard]] std::filesystem::path find_bundled_data(const std::string& name);

}  // namespace hearth
