// A run as one HTML page that needs no other file and no network.
#pragma once

#include <filesystem>
#include <string>

namespace hearth {

// Curves, config, model, tables, pictures, data, machine, history: whatever the folder has.
// DataError when it has no log.
[[nodiscard]] std::string report_page(const std::filesystem::path& run);

}  // namespace hearth
