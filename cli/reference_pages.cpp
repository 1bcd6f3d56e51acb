// The reference as a folder of Markdown pages.
#include "cli/reference_pages.h"

#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/config/reference.h"
#include "hearth/data/clean_options.h"

namespace hearth::cli {
namespace {

std::string text_block(const std::string& text) { return "```text\n" + text + "```\n"; }

std::string commands_page(const Commands& commands) {
  std::string page = "# Commands\n\n" + text_block(program_help(commands, kPageWidth));
  for (const auto& command : commands.all())
    page += "\n## hearth " + command->info().name + "\n\n" +
            text_block(command_help(command->info(), *make_parser(*command), kPageWidth));
  return page;
}

std::string link(const std::string& name, const std::string& help) {
  return "- [" + name + "](" + name + ".md): " + help + "\n";
}

std::string index_page(const Catalog& catalog) {
  std::string page =
      "# Reference\n\nWritten by `hearth docs --markdown` from the program itself.\n\n";
  page += link("experiment", "The whole config file.");
  page += link("commands", "The command line.");
  page += link("steps", "The steps of `hearth data clean`.");
  for (const KindInfo& kind : catalog.kinds) page += link(kind.name, kind.help);
  return page;
}

}  // namespace

std::vector<std::string> write_reference(const fs::path& folder, const Catalog& catalog,
                                         const Commands& commands) {
  make_folder(folder);
  std::vector<std::string> names;
  auto write = [&](const std::string& name, const std::string& page) {
    write_file_durably(folder / (name + ".md"), page);
    names.push_back(name + ".md");
  };
  write("index", index_page(catalog));
  write("experiment", experiment_page(catalog));
  write("commands", commands_page(commands));
  write("steps",
        schema_page("steps",
                    "What `hearth data clean` does to samples, one step after the other; a "
                    "step without options may stand as its name alone.",
                    CleanOptions::schema().info()));
  for (const KindInfo& kind : catalog.kinds) write(kind.name, reference_page(kind));
  return names;
}

}  // namespace hearth::cli
