// hearth new: the files of a component of one's own, ready to be filled in.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/command.h"
#include "cli/component_files.h"
#include "cli/component_name.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

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
    app.add_option("KIND", kind_, "The kind of component, such as layer; hearth list names them.")
        ->required();
    app.add_option("NAME", name_, "Its name in YAML and C++, such as gated_linear.")->required();
    app.add_option("--folder", folder_,
                   "Where to write; left out, the kind's folder in Hearth's source tree, or here.")
        ->type_name("FOLDER");
  }

  int run() override {
    const ComponentHome home = component_home(component_homes(share_folder() / "kinds.txt"), kind_);
    require_good_name(name_);
    require_free_name(home.kind, name_, load_catalog(), share_folder() / "type_names.txt");
    const bool is_in_tree = folder_.empty() && std::filesystem::exists("hearth/parts.txt");
    const std::filesystem::path folder = !folder_.empty() ? folder_
                                         : is_in_tree     ? home.folder
                                                          : ".";
    const auto files = component_files(home, name_, folder, share_folder() / "templates");
    write_new_files(files);
    if (is_json()) return print_json(files);
    for (const NewFile& file : files) print("Wrote " + file.path.string() + "\n");
    print(is_in_tree ? in_tree_text() : own_code_text(home));
    say_next("open " + files[1].path.string());
    return 0;
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return kind_names(catalog);
  }

 private:
  static int print_json(const std::vector<NewFile>& files) {
    auto paths = nlohmann::json::array();
    for (const NewFile& file : files) paths.push_back(file.path.string());
    print(json_line(nlohmann::json{{"files", paths}}));
    return 0;
  }

  [[nodiscard]] std::string in_tree_text() const {
    return "Nothing else to edit: the next build finds it, then `hearth docs " + name_ +
           "` explains it.\n";
  }

  [[nodiscard]] std::string own_code_text(const ComponentHome& home) const {
    const std::string kinds = home.kind + "s";
    return "A plugin takes it from a folder " + quote(kinds) +
           " (hearth_plugin in CMake); a program of your own registers it:\n  hearth::" + kinds +
           "::register_" + name_ + "(hearth::registry<hearth::" + home.base + ">());\n";
  }

  std::string kind_;
  std::string name_;
  std::string folder_;
};

}  // namespace

void register_new(Commands& commands) { commands.add(std::make_unique<NewCommand>()); }

}  // namespace hearth::cli
