// The reference as a folder of Markdown pages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace hearth::cli {

// Writes index.md, experiment.md, commands.md and <kind>.md; returns their names.
std::vector<std::string> write_reference(const std::filesystem::path& folder,
                                         const Catalog& catalog, const Commands& commands);

}  // namespace hearth::cli
