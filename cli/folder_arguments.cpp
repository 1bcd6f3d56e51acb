// The flag of every command that opens a run or an exported model.
#include "cli/folder_arguments.h"

#include <CLI/CLI.hpp>

#include "cli/arguments.h"

namespace hearth::cli {

void declare_folder(CLI::App& app, FolderArguments& arguments) {
  app.add_flag("--accept-changes", arguments.accepts_changes,
               "Goes on although config.yaml or specs.json was changed since training.");
}

}  // namespace hearth::cli
