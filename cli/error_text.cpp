// What a person reads when the command line or the config is wrong.
#include "cli/error_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/help.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

std::string extra_text(const std::string& extra, const CLI::App& app, const std::string& command) {
  if (!extra.starts_with('-')) return command + " does not take " + quote(extra) + ".";
  const std::string name = extra.substr(0, extra.find('='));
  return command + " has no flag " + quote(name) + "." + did_you_mean(name, flags_of(app));
}

std::string extras_text(const CLI::App& app, const std::string& command) {
  std::vector<std::string> lines;
  for (const std::string& extra : app.remaining()) lines.push_back(extra_text(extra, app, command));
  return join(lines, "\n");
}

// CLI11 calls an option by all that it knows of it; people know it by its long name.
std::string plain_text(const std::string& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr)
    return command + ": " + error.what() + ".";
  const std::string text = error.what();
  return command + " needs " + text.substr(0, text.find(' ')) + ".";
}

bool is_fault(const std::string& line) { return !line.empty() && line.front() != ' '; }

}  // namespace

std::string usage_error_text(const CommandInfo& info, const CLI::App& app,
                             const CLI::ParseError& error) {
  const std::string command = "hearth " + info.name;
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return (is_extra ? extras_text(app, command) : plain_text(command, error)) +
         "\n  Try: " + command + " --help";
}

std::string with_fault_count(const Error& error) {
  const bool lists_faults = dynamic_cast<const ConfigError*>(&error) != nullptr ||
                            dynamic_cast<const GraphError*>(&error) != nullptr;
  std::vector<std::string> lines = split(error.what(), '\n');
  const auto count = std::count_if(lines.begin(), lines.end(), is_fault);
  if (!lists_faults || count < 2) return error.what();
  // Below the last fault, above what to try.
  const auto last = std::find_if(lines.rbegin(), lines.rend(), is_fault);
  lines.insert(last.base(), std::to_string(count) + " faults.");
  return "\n" + join(lines, "\n");
}

}  // namespace hearth::cli
