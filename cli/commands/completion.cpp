// hearth completion: the script that teaches a shell Hearth's words.
#include <CLI/CLI.hpp>
#include <map>

#include "cli/command.h"
#include "cli/flag_checks.h"
#include "hearth/base/terminal.h"

namespace hearth::cli {
namespace {

// A colon or an equals sign would split a word under bash's cursor, so the line is cut by blanks.
constexpr const char* kBash = R"(# Hearth's completion for bash. To install it:
#   hearth completion bash > ~/.local/share/bash-completion/completions/hearth
_hearth() {
  local line="${COMP_LINE:0:COMP_POINT}" words word typed
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  word="${words[-1]}"
  mapfile -t COMPREPLY < <("${words[0]}" __complete "${words[@]:1}" 2> /dev/null)
  [[ ${#COMPREPLY[@]} -gt 0 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
  if [[ "$word" == *=* ]]; then
    typed="${word%"${word##*=}"}"
    COMPREPLY=("${COMPREPLY[@]#"$typed"}")
  fi
}
complete -o default -F _hearth hearth
)";

constexpr const char* kZsh = R"(#compdef hearth
# Hearth's completion for zsh. To install it, in a folder of $fpath:
#   hearth completion zsh > "${fpath[1]}/_hearth"
_hearth() {
  local -a found options
  found=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  found=("${(@)found:#}")
  options=("${(@M)found:#*=}")
  found=("${(@)found:#*=}")
  (( ${#options} )) && compadd -S '' -- "${options[@]}"
  (( ${#found} )) && compadd -- "${found[@]}"
  (( ${#found} )) || _files
}
if [[ "${funcstack[1]}" == _hearth ]]; then
  _hearth "$@"
else
  compdef _hearth hearth
fi
)";

constexpr const char* kFish = R"(# Hearth's completion for fish. To install it:
#   hearth completion fish > ~/.config/fish/completions/hearth.fish
function __hearth_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  $words[1] __complete $words[2..-1] "$word" 2> /dev/null
end
complete -c hearth -a '(__hearth_complete)'
)";

const std::map<std::string, std::string>& completion_scripts() {
  static const std::map<std::string, std::string> scripts = {
      {"bash", kBash}, {"fish", kFish}, {"zsh", kZsh}};
  return scripts;
}

class CompletionCommand : public Command {
 public:
  CompletionCommand()
      : Command({"completion",
                 "Set up",
                 "Writes the script that completes Hearth's words in bash, zsh or fish.",
                 "SHELL",
                 {"source <(hearth completion bash)",
                  "hearth completion fish > ~/.config/fish/completions/hearth.fish"},
                 /*has_json=*/false}) {}

  void declare(CLI::App& app) override {
    app.add_option("SHELL", shell_, "bash, zsh or fish.")
        ->required()
        ->check(one_of_words({"bash", "zsh", "fish"}));
  }

  // Says nothing more: shells read this on every start.
  int run() override {
    print(completion_scripts().at(shell_));
    return 0;
  }

  std::vector<std::string> candidates(const Catalog&) const override {
    return {"bash", "fish", "zsh"};
  }

 private:
  std::string shell_;
};

}  // namespace

void register_completion(Commands& commands) {
  commands.add(std::make_unique<CompletionCommand>());
}

}  // namespace hearth::cli
