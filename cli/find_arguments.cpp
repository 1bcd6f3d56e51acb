// What the finders are asked for.
#include "cli/find_arguments.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/experiment_arguments.h"
#include "cli/folder_arguments.h"
#include "hearth/base/error.h"

namespace hearth::cli {

void declare_find(CLI::App& app, std::vector<std::string>& words, FindArguments& arguments) {
  app.add_option("FILE", words,
                 "YAML files of the experiment, or the folder of a run, which stays as it is; "
                 "mixed with options that win over them: data.batch_size=64.");
  app.add_option("--out", arguments.out,
                 "Writes what was found into FOLDER, as pictures and JSON. Left out, nothing is "
                 "written.")
      ->type_name("FOLDER");
  app.add_flag("-q,--quiet", arguments.is_quiet, "Shows no progress, only the result.");
  declare_folder(app, arguments);
}

std::optional<int> settle_find(const std::vector<std::string>& words, const std::string& command,
                               FindArguments& arguments) {
  std::error_code ignored;  // what cannot be a name is no folder
  for (const std::string& word : words) {
    if (is_override(word))
      arguments.overrides.push_back(word);
    else if (std::filesystem::is_directory(word, ignored) && arguments.run.empty())
      arguments.run = word;
    else
      arguments.files.push_back(word);
  }
  if (arguments.run.empty() && arguments.files.empty())
    throw ConfigError("hearth " + command +
                      " needs a file, such as digits.yaml, or a run.\n  Try: hearth " + command +
                      " --help");
  if (arguments.run.empty()) return check_early(arguments);
  if (!arguments.files.empty())
    throw ConfigError("hearth " + command + " takes files of an experiment or one run, not both: " +
                      arguments.run + " and " + arguments.files.front() + ".");
  return std::nullopt;
}

}  // namespace hearth::cli
