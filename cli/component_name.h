// Which names a new component may have.
#pragma once

#include <filesystem>
#include <string>

#include "hearth/config/catalog.h"

namespace hearth::cli {

// "random_shift" to "RandomShift".
[[nodiscard]] std::string type_name(const std::string& name);

// ConfigError for a name that C++ or the build would take for something else.
void require_good_name(const std::string& name);

// ConfigError when a component of the kind or a type of Hearth has the name already. `type_names`
// is a file with one type per line; those of components, which their kinds' namespaces keep apart,
// are not in it.
void require_free_name(const std::string& kind, const std::string& name, const Catalog& catalog,
                       const std::filesystem::path& type_names);

}  // namespace hearth::cli
