// The flag of every command that opens a run or an exported model.
#pragma once

namespace CLI {
class App;
}

namespace hearth::cli {

struct FolderArguments;

void declare_folder(CLI::App& app, FolderArguments& arguments);

}  // namespace hearth::cli
