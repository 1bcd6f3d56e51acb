// What a person reads when the command line or the config is wrong.
#include "cli/error_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "cli/catalog_file.h"
#include "cli/device_words.h"
#include "cli/help.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/hint.h"

namespace hearth::cli {
namespace {

constexpr int kDefectExitCode = 70;
constexpr const char* kNoMemory =
    "There is not enough memory.\n  Lower data.batch_size, data.depth or the sizes of the model; "
    "`hearth check` says what they need.";

// As LibTorch's allocator says it.
bool is_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory: you tried") != text.npos;
}

// Where the config has it, also under another framework's word; nothing without the catalog.
std::optional<std::string> path_of_option(const std::string& name) {
  try {
    return option_path(name.substr(name.rfind('.') + 1), load_catalog());
  } catch (const DataError&) {
    return std::nullopt;
  }
}

// --epochs 3, where Hearth wants train.epochs=3; nothing when it is no option of the config either.
std::optional<std::string> override_for(const std::string& flag,
                                        const std::vector<std::string>& words) {
  std::string name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  std::string value;
  const auto given = std::find(words.begin(), words.end(), flag);
  const size_t equals = name.find('=');
  if (equals != name.npos) {
    value = name.substr(equals + 1);
    name = name.substr(0, equals);
  } else if (given != words.end() && given + 1 != words.end() && !(given + 1)->starts_with('-')) {
    value = *(given + 1);
  }
  std::replace(name.begin(), name.end(), '-', '_');
  const std::optional<std::string> path = path_of_option(name);
  if (!path) return std::nullopt;
  if (*path == "device") value = device_words(name, value);
  return *path + "=" + (value.empty() ? "..." : value);
}

std::string extra_text(const std::string& extra, const CLI::App& app, const CommandInfo& info,
                       const std::vector<std::string>& words) {
  const std::string command = "hearth " + info.name;
  if (!extra.starts_with('-')) return command + " does not take " + quote(extra) + ".";
  const std::string name = extra.substr(0, extra.find('='));
  const bool takes_overrides = info.usage.find("KEY=VALUE") != std::string::npos;
  if (takes_overrides && !nearest(name, flags_of(app)))
    if (const auto option = override_for(extra, words))
      return command + " has no flag " + quote(name) +
             ". Options of the config have no dashes: " + *option;
  return command + " has no flag " + quote(name) + "." + did_you_mean(name, flags_of(app));
}

std::string extras_text(const CLI::App& app, const CommandInfo& info,
                        const std::vector<std::string>& words) {
  std::vector<std::string> lines;
  for (const std::string& extra : app.remaining())
    lines.push_back(extra_text(extra, app, info, words));
  return join(lines, "\n");
}

// CLI11 calls an option by all that it knows of it; people know it by its long name.
std::string plain_text(const std::string& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr)
    return command + ": " + error.what() + ".";
  const std::string text = error.what();
  return command + " needs " + text.substr(0, text.find(' ')) + ".";
}

// Names for programs of what exit codes say to shells.
std::string kind_of(int exit_code) {
  switch (exit_code) {
    case 2:
      return "config";
    case 3:
      return "data";
    case 4:
      return "graph";
    case 5:
      return "cluster";
    case kDefectExitCode:
      return "defect";
    default:
      return "other";
  }
}

bool is_fault(const std::string& line) { return !line.empty() && line.front() != ' '; }

}  // namespace

std::string usage_error_text(const CommandInfo& info, const CLI::App& app,
                             const CLI::ParseError& error, const std::vector<std::string>& words) {
  const std::string command = "hearth " + info.name;
  const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return (is_extra ? extras_text(app, info, words) : plain_text(command, error)) +
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

Failure failure_of(const std::exception& error) {
  const std::string whole = error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr || is_out_of_memory(whole))
    return {kNoMemory, kNoMemory, DataError("").exit_code()};
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr)
    return {whole, whole, DataError("").exit_code()};
  const auto* known = dynamic_cast<const Error*>(&error);
  if (known != nullptr && known->exit_code() != kDefectExitCode)
    return {with_fault_count(*known), whole, known->exit_code()};
  // What follows the first line of LibTorch's text is frames of a stack.
  const std::string first = whole.substr(0, whole.find('\n'));
  return {first + "\n  This is a defect of Hearth, please report it.", first, kDefectExitCode};
}

nlohmann::ordered_json error_json(const std::string& message, int exit_code) {
  std::vector<std::string> faults = split(message, '\n');
  std::erase_if(faults, [](const std::string& line) { return !is_fault(line); });
  return {{"error",
           {{"kind", kind_of(exit_code)},
            {"exit_code", exit_code},
            {"message", message},
            {"faults", faults}}}};
}

}  // namespace hearth::cli
