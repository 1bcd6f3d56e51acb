// hearth new: the files of a component of one's own, ready to be filled in.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/component_files.h"
#include "cli/terminal.h"

namespace hearth::cli {
namespace {

class NewCommand : public Command {
 public:
  NewCommand()
      : Command(
            {"new",
             "Create",
             "Writes header, source and test of a new component, ready to be filled in.",
             "KIND NAME",
             {"hearth new layer gated_linear", "hearth new trace stop_at_goal --folder mine"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("KIND", kind_,
                   "source, sample_op, layer, optimizer, schedule, network_op, metric or trace.")
        ->required();
    app.add_option("NAME", name_, "Its name in YAML and C++, such as gated_linear.")->required();
    app.add_option("--folder", folder_,
                   "Where to write; left out, the kind's folder in Hearth's source tree, or here.")
        ->type_name("FOLDER");
  }

  int run() override {
    const ComponentHome& home = component_home(kind_);
    const bool is_in_tree = folder_.empty() && std::filesystem::exists("hearth/layers.txt");
    const std::filesystem::path folder = !folder_.empty() ? folder_
                                         : is_in_tree     ? home.folder
                                                          : ".";
    const auto files = component_files(home, name_, folder, share_folder() / "templates");
    write_new_files(files);
    for (const NewFile& file : files) print("Wrote " + file.path.string() + "\n");
    print(is_in_tree ? in_tree_text() : own_code_text(home));
    say_next("open " + files[1].path.string());
    return 0;
  }

  std::vector<std::string> candidates(const Catalog&) const override {
    std::vector<std::string> kinds;
    for (const ComponentHome& home : component_homes()) kinds.push_back(home.kind);
    return kinds;
  }

 private:
  [[nodiscard]] std::string in_tree_text() const {
    return "Nothing else to edit: the next build finds it, then `hearth docs " + name_ +
           "` explains it.\n";
  }

  [[nodiscard]] std::string own_code_text(const ComponentHome& home) const {
    return "Register it in your main, or in a plugin that the YAML names under `plugins`:\n"
           "  extern \"C\" void hearth_register() {\n    hearth::register_" +
           name_ + "(hearth::registry<hearth::" + home.base + ">());\n  }\n";
  }

  std::string kind_;
  std::string name_;
  std::string folder_;
};

}  // namespace

void register_new(Commands& commands) { commands.add(std::make_unique<NewCommand>()); }

}  // namespace hearth::cli
