// Files that come with the program: ../share/hearth beside it.
#pragma once

#include <filesystem>

#include "hearth/config/catalog.h"

namespace hearth::cli {

// The folder share/hearth of this installation or build.
[[nodiscard]] std::filesystem::path share_folder();

// Every component as data, as the build wrote it; DataError says how to get it when it is missing.
[[nodiscard]] Catalog load_catalog();

// ConfigError with the nearest name; takes the plural, too.
[[nodiscard]] const KindInfo& kind_named(const Catalog& catalog, const std::string& name);

[[nodiscard]] std::vector<std::string> kind_names(const Catalog& catalog);

}  // namespace hearth::cli
