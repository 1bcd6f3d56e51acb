// What may come next on a command line: the shell's completion scripts ask `hearth __complete`.
#include "cli/complete.h"

#include <CLI/CLI.hpp>

#include "cli/catalog_file.h"
#include "cli/help.h"
#include "hearth/base/error.h"

namespace hearth::cli {
namespace {

std::vector<std::string> candidates_of(Command& command, const std::string& word) {
  if (word.starts_with('-')) return flags_of(*make_parser(command));
  try {
    return command.candidates(load_catalog());
  } catch (const Error&) {
    return {};  // a shell's completion must stay silent
  }
}

// With nothing typed yet, the shell should offer files rather than every option there is.
bool is_override_path(const std::string& candidate) { return candidate.ends_with('='); }

}  // namespace

std::string completion_lines(const Commands& commands, const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::string& word = words.back();
  std::vector<std::string> candidates;
  if (words.size() == 1) {
    candidates = word.starts_with('-') ? std::vector<std::string>{"--help", "--version"}
                                       : commands.first_words();
  } else if (words.size() == 2 && !commands.family(words.front()).empty()) {
    for (const Command* member : commands.family(words.front()))
      candidates.push_back(last_word(member->info()));
  } else if (Command* command = commands.find(words)) {
    candidates = candidates_of(*command, word);
  }
  std::string lines;
  for (const std::string& candidate : candidates)
    if (candidate.starts_with(word) && !(word.empty() && is_override_path(candidate)))
      lines += candidate + "\n";
  return lines;
}

}  // namespace hearth::cli
